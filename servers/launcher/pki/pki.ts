import { createPrivateKey, createPublicKey, generateKeyPair } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { checkSigner, readCertificateFile, readPair, readPrivateKey } from '../../../shared/files/key-files.ts';
import { ensurePrivateFolder } from '../../../shared/files/private-folder.ts';
import { UnfitFileError, usingFile } from '../../../shared/files/unfit-file.ts';
import type { PkiPaths } from '../../../shared/process/data-directory.ts';
import { backendServerName } from '../../../shared/server/options/backend-address.ts';
import { createAuthority, createLeaf } from './certificate.ts';
import type { LeafOptions, Subject } from './certificate.ts';

const authorityDays = 3650;
const leafDays = 365;
/** A certificate with less time left than this is made anew. */
const renewBeforeMs = 60 * 86_400_000;

const clusterAuthority: Subject = { commonName: 'quarterdeck-ca' };
const frontProxyAuthority: Subject = { commonName: 'quarterdeck-front-proxy-ca' };

/**
 * Makes what is missing. An RSA key takes 50 to 300 ms: start this first, it runs beside everything else.
 * @throws UnfitFileError (as a rejection) where a key is there that cannot be used: a new one would end all tokens
 */
export async function ensureServiceAccountKeys(paths: PkiPaths): Promise<void> {
  makeDirectory(paths);
  const { serviceAccountKey: keyPath, serviceAccountPublicKey: publicPath } = paths;
  if (existsSync(keyPath)) {
    const key = readPrivateKey(keyPath, signerRemedy);
    if (existsSync(publicPath)) checkSigner(publicPath, keyPath, key);
    else write(publicPath, createPublicKey(key).export({ type: 'spki', format: 'pem' }), 0o644);
    return;
  }
  if (existsSync(publicPath))
    throw new UnfitFileError(
      keyPath,
      'is missing beside sa.pub',
      `put it back from a backup; or remove ${publicPath}, and both are made anew, which ends all tokens of service accounts`,
    );
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  // The private key first: the public one can be made of it when the start ends between the two.
  write(keyPath, privateKey, 0o600);
  write(publicPath, publicKey, 0o644);
}

const signerRemedy =
  'put it back from a backup; or remove it and sa.pub, and both are made anew, which ends all tokens of service accounts';

/**
 * Makes authorities once, and certificates when they are missing, near their end, or do not name all `servingHosts`.
 * @returns the certificates that were made
 * @throws UnfitFileError where a file is there that cannot be used
 */
export function ensureCertificates(paths: PkiPaths, servingHosts: readonly string[], now = new Date()): string[] {
  makeDirectory(paths);
  const clusterKey = ensureAuthority(
    paths.caCert,
    paths.caKey,
    [paths.servingCert, paths.adminCert],
    clusterAuthority,
    now,
  );
  const frontProxyKey = ensureAuthority(
    paths.frontProxyCaCert,
    paths.frontProxyCaKey,
    [paths.frontProxyClientCert, paths.backendCert],
    frontProxyAuthority,
    now,
  );
  const leaf = { now, days: leafDays };
  const cluster = { certPath: paths.caCert, key: clusterKey, subject: clusterAuthority };
  const frontProxy = { certPath: paths.frontProxyCaCert, key: frontProxyKey, subject: frontProxyAuthority };
  const leaves: readonly (readonly [Authority, cert: string, key: string, LeafOptions])[] = [
    [
      cluster,
      paths.servingCert,
      paths.servingKey,
      { ...leaf, subject: { commonName: 'kube-apiserver' }, usage: 'serverAuth', hosts: servingHosts },
    ],
    [
      cluster,
      paths.adminCert,
      paths.adminKey,
      { ...leaf, subject: { commonName: 'kubernetes-admin', organization: 'system:masters' }, usage: 'clientAuth' },
    ],
    [
      cluster,
      paths.kubeletClientCert,
      paths.kubeletClientKey,
      {
        ...leaf,
        subject: { commonName: 'kube-apiserver-kubelet-client', organization: 'system:masters' },
        usage: 'clientAuth',
      },
    ],
    [
      frontProxy,
      paths.frontProxyClientCert,
      paths.frontProxyClientKey,
      { ...leaf, subject: { commonName: 'front-proxy-client' }, usage: 'clientAuth' },
    ],
    [
      frontProxy,
      paths.backendCert,
      paths.backendKey,
      { ...leaf, subject: { commonName: 'quarterdeck-backend' }, usage: 'serverAuth', hosts: [backendServerName] },
    ],
  ];
  return leaves
    .filter(([authority, cert, key, options]) => ensureLeaf(authority, cert, key, options))
    .map(([, cert]) => cert);
}

/** When {@link ensureCertificates} makes the next certificate anew, in milliseconds since 1970. */
export function nextRenewal(paths: PkiPaths): number {
  const files = [
    paths.servingCert,
    paths.adminCert,
    paths.kubeletClientCert,
    paths.frontProxyClientCert,
    paths.backendCert,
  ];
  return (
    Math.min(
      ...files.map((file) =>
        readCertificateFile(file, 'remove it and its key, and both are made anew').validToDate.getTime(),
      ),
    ) - renewBeforeMs
  );
}

/**
 * Makes a serving certificate in a folder of the user's, followed by its authority, where there is none: what is there
 * already is the user's (as the reference does with `--cert-dir`, by an RSA key, too).
 */
export function ensureServingPair(
  paths: PkiPaths,
  pair: { readonly cert: string; readonly key: string },
  hosts: readonly string[],
  now = new Date(),
): void {
  if (existsSync(pair.cert) && existsSync(pair.key)) return;
  usingFile(dirname(pair.cert), () => mkdirSync(dirname(pair.cert), { recursive: true }));
  const authority = { subject: clusterAuthority, key: readPrivateKey(paths.caKey, authorityRemedy) };
  const credential = createLeaf(authority, {
    now,
    days: leafDays,
    subject: { commonName: 'kube-apiserver' },
    usage: 'serverAuth',
    hosts,
    rsa: true,
  });
  write(pair.key, credential.keyPem, 0o600);
  write(pair.cert, `${credential.certificatePem.trimEnd()}\n${readFileSync(paths.caCert, 'utf8')}`, 0o644);
}

const authorityRemedy =
  'put both files of the authority back from a backup; a new authority would lock out every client';

/**
 * @param issued certificates of it: where one is there, clients know the authority, and a new one is not made in its
 * place
 */
function ensureAuthority(
  certPath: string,
  keyPath: string,
  issued: readonly string[],
  subject: Subject,
  now: Date,
): KeyObject {
  const [hasCert, hasKey] = [existsSync(certPath), existsSync(keyPath)];
  if (hasCert && hasKey) return readPair(certPath, keyPath, authorityRemedy).key;
  if (hasCert) throw new UnfitFileError(keyPath, `is missing beside ${certPath}`, authorityRemedy);
  if (hasKey && issued.some((path) => existsSync(path)))
    throw new UnfitFileError(certPath, `is missing beside ${keyPath}`, authorityRemedy);
  const authority = createAuthority(subject, now, authorityDays);
  write(keyPath, authority.keyPem, 0o600);
  write(certPath, authority.certificatePem, 0o644);
  return createPrivateKey(authority.keyPem);
}

interface Authority {
  readonly certPath: string;
  readonly key: KeyObject;
  readonly subject: Subject;
}

function ensureLeaf(authority: Authority, certPath: string, keyPath: string, options: LeafOptions): boolean {
  if (existsSync(certPath) && existsSync(keyPath) && stillGood(certPath, keyPath, authority.certPath, options))
    return false;
  const credential = createLeaf(authority, options);
  // A start that ends between the two leaves no certificate beside the key of another.
  usingFile(certPath, () => rmSync(certPath, { force: true }));
  write(keyPath, credential.keyPem, 0o600);
  write(certPath, credential.certificatePem, 0o644);
  return true;
}

function stillGood(certPath: string, keyPath: string, authorityPath: string, options: LeafOptions): boolean {
  const { certificate } = readPair(certPath, keyPath, `remove ${certPath} and ${keyPath}, and both are made anew`);
  if (certificate.validToDate.getTime() - options.now.getTime() <= renewBeforeMs) return false;
  if (!certificate.verify(readCertificateFile(authorityPath, authorityRemedy).publicKey)) return false;
  return (options.hosts ?? []).every(
    (host) => (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined,
  );
}

function makeDirectory(paths: PkiPaths): void {
  ensurePrivateFolder(paths.directory, true);
}

/** Whole or not at all, so that a start that was interrupted can be repeated. */
function write(path: string, contents: string, mode: number): void {
  const temporary = `${path}.${process.pid}.tmp`;
  usingFile(path, () => {
    writeFileSync(temporary, contents, { mode });
    chmodSync(temporary, mode);
    renameSync(temporary, path);
  });
}
