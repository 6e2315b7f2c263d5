import { createPrivateKey, createPublicKey, generateKeyPair } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { refuseOpen } from '#shared/files/data-folder.ts';
import { checkSigner, readCertificateFile, readPair, readPrivateKey } from '#shared/files/key-files.ts';
import { ensurePrivateFolder, makeFolder } from '#shared/files/private-folder.ts';
import { UnusableFileError, usingFile } from '#shared/files/unusable-file.ts';
import type { PkiPaths } from '#shared/process/data-directory.ts';
import { backendServerName } from '#shared/server/options/backend-address.ts';
import { createAuthority, createLeaf } from './certificate.ts';
import type { Credential, LeafOptions, Subject } from './certificate.ts';
import { convertKeyFile } from './key-form.ts';
import {
  checkAuthority,
  isCurrent,
  renewalTime,
  validityAt,
  validityOf,
  withinAuthority,
  type Validity,
} from './validity.ts';

const authorityDays = 3650;
const leafDays = 365;

const clusterAuthority: Subject = { commonName: 'quarterdeck-ca' };
const frontProxyAuthority: Subject = { commonName: 'quarterdeck-front-proxy-ca' };

/**
 * Creates missing service account keys. An RSA key takes 50 to 300 ms, so call this first: it runs in parallel to the
 * rest.
 * @throws UnusableFileError (as a rejection) for an existing key that cannot be used: a new one would invalidate all
 * tokens
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
    throw new UnusableFileError(
      keyPath,
      'is missing beside sa.pub',
      `put it back from a backup; or remove ${publicPath}, and both are made anew, which ends all tokens of service accounts`,
    );
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  // The private key is written first: if the start is interrupted, the public key can be derived from it.
  write(keyPath, privateKey, 0o600);
  write(publicPath, publicKey, 0o644);
}

const signerRemedy =
  'put it back from a backup; or remove it and sa.pub, and both are made anew, which ends all tokens of service accounts';

/**
 * Creates authorities once, and certificates if they are missing, expire soon, or do not contain all `servingHosts`.
 * Keys of earlier releases get the form that all clients read.
 * @returns the files of the created certificates
 * @throws UnusableFileError for an existing file that cannot be used
 */
export function ensureCertificates(
  paths: PkiPaths,
  servingHosts: readonly string[],
  now = new Date(),
  validity: (now: Date, days: number) => Validity = validityAt,
): string[] {
  makeDirectory(paths);
  for (const path of ellipticKeys(paths)) convertKeyFile(path);
  const made = validity(now, authorityDays);
  const ofCluster = ensureAuthority(paths.caCert, paths.caKey, [paths.servingCert, paths.adminCert], {
    subject: clusterAuthority,
    validity: made,
    now,
  });
  const ofFrontProxy = ensureAuthority(
    paths.frontProxyCaCert,
    paths.frontProxyCaKey,
    [paths.frontProxyClientCert, paths.backendCert],
    { subject: frontProxyAuthority, validity: made, now },
  );
  const cluster = { ...ofCluster, certPath: paths.caCert, subject: clusterAuthority };
  const frontProxy = { ...ofFrontProxy, certPath: paths.frontProxyCaCert, subject: frontProxyAuthority };
  return leavesOf(paths, { cluster, frontProxy }, servingHosts, validity(now, leafDays))
    .filter(([authority, cert, key, options]) => ensureLeaf(authority, cert, key, options, now))
    .map(([, cert]) => cert);
}

/** The certificates that the authorities sign, each with the files of certificate and key. */
function leavesOf(
  paths: PkiPaths,
  { cluster, frontProxy }: { readonly cluster: Authority; readonly frontProxy: Authority },
  servingHosts: readonly string[],
  validity: Validity,
): readonly (readonly [authority: Authority, cert: string, key: string, options: LeafOptions])[] {
  return [
    [
      cluster,
      paths.servingCert,
      paths.servingKey,
      { validity, subject: { commonName: 'kube-apiserver' }, usage: 'serverAuth', hosts: servingHosts },
    ],
    [
      cluster,
      paths.adminCert,
      paths.adminKey,
      { validity, subject: { commonName: 'kubernetes-admin', organizations: ['system:masters'] }, usage: 'clientAuth' },
    ],
    [
      cluster,
      paths.monitoringCert,
      paths.monitoringKey,
      { validity, subject: { commonName: 'prometheus', organizations: ['system:monitoring'] }, usage: 'clientAuth' },
    ],
    [
      cluster,
      paths.kubeletClientCert,
      paths.kubeletClientKey,
      {
        validity,
        subject: { commonName: 'kube-apiserver-kubelet-client', organizations: ['system:masters'] },
        usage: 'clientAuth',
      },
    ],
    [
      frontProxy,
      paths.frontProxyClientCert,
      paths.frontProxyClientKey,
      { validity, subject: { commonName: 'front-proxy-client' }, usage: 'clientAuth' },
    ],
    [
      frontProxy,
      paths.backendCert,
      paths.backendKey,
      { validity, subject: { commonName: 'quarterdeck-backend' }, usage: 'serverAuth', hosts: [backendServerName] },
    ],
  ];
}

function ellipticKeys(paths: PkiPaths): readonly string[] {
  return [
    paths.caKey,
    paths.servingKey,
    paths.adminKey,
    paths.monitoringKey,
    paths.kubeletClientKey,
    paths.frontProxyCaKey,
    paths.frontProxyClientKey,
    paths.backendKey,
  ];
}

/** The time when {@link ensureCertificates} renews the next certificate, in milliseconds since 1970. */
export function nextRenewal(paths: PkiPaths): number {
  const renewal = (authority: string, leaves: readonly string[]): readonly number[] => {
    const validity = validityOf(readCertificateFile(authority, authorityRemedy));
    const remedy = 'remove it and its key, and both are made anew';
    return leaves.map((leaf) => renewalTime(validityOf(readCertificateFile(leaf, remedy)), validity));
  };
  return Math.min(
    ...renewal(paths.caCert, [paths.servingCert, paths.adminCert, paths.monitoringCert, paths.kubeletClientCert]),
    ...renewal(paths.frontProxyCaCert, [paths.frontProxyClientCert, paths.backendCert]),
  );
}

/**
 * Creates a serving certificate with an RSA key, followed by its authority, in the folder of `--cert-dir`, as the
 * reference does. Existing files there belong to the user and are kept.
 */
export function ensureServingPair(
  paths: PkiPaths,
  pair: { readonly cert: string; readonly key: string },
  hosts: readonly string[],
  now = new Date(),
): void {
  const folder = dirname(pair.cert);
  // Another user may have put a key there.
  if (existsSync(folder)) refuseOpen(folder, '--cert-dir');
  if (existsSync(pair.cert) && existsSync(pair.key)) return;
  usingFile(folder, () => makeFolder(folder));
  const { certificate, key } = readPair(paths.caCert, paths.caKey, authorityRemedy);
  const credential = createLeaf(
    { subject: clusterAuthority, key },
    {
      validity: withinAuthority(validityAt(now, leafDays), validityOf(certificate)),
      subject: { commonName: 'kube-apiserver' },
      usage: 'serverAuth',
      hosts,
      rsa: true,
    },
  );
  write(pair.key, credential.keyPem, 0o600);
  write(pair.cert, `${credential.certificatePem.trimEnd()}\n${readFileSync(paths.caCert, 'utf8')}`, 0o644);
}

/** Creates a client certificate of the cluster's authority, by which a user and its groups are authenticated. */
export function createUserCertificate(
  paths: PkiPaths,
  user: { readonly name: string; readonly groups: readonly string[] },
  now = new Date(),
): Credential {
  const { certificate, key } = readPair(paths.caCert, paths.caKey, authorityRemedy);
  return createLeaf(
    { subject: clusterAuthority, key },
    {
      validity: withinAuthority(validityAt(now, leafDays), validityOf(certificate)),
      subject: { commonName: user.name, organizations: user.groups },
      usage: 'clientAuth',
    },
  );
}

const authorityRemedy =
  'put both files of the authority back from a backup; a new authority would lock out every client';

/**
 * Reads an authority, or creates it if it is missing.
 * @param issued certificates of the authority: if one exists, clients trust that authority, and no new one is created
 */
function ensureAuthority(
  certPath: string,
  keyPath: string,
  issued: readonly string[],
  made: { readonly subject: Subject; readonly validity: Validity; readonly now: Date },
): Pick<Authority, 'key' | 'validity'> {
  const [hasCert, hasKey] = [existsSync(certPath), existsSync(keyPath)];
  if (hasCert && hasKey) {
    const { certificate, key } = readPair(certPath, keyPath, authorityRemedy);
    const validity = validityOf(certificate);
    checkAuthority(certPath, keyPath, validity, made.now);
    return { key, validity };
  }
  if (hasCert) throw new UnusableFileError(keyPath, `is missing beside ${certPath}`, authorityRemedy);
  if (hasKey && issued.some((path) => existsSync(path)))
    throw new UnusableFileError(certPath, `is missing beside ${keyPath}`, authorityRemedy);
  const authority = createAuthority(made.subject, made.validity);
  write(keyPath, authority.keyPem, 0o600);
  write(certPath, authority.certificatePem, 0o644);
  return { key: createPrivateKey(authority.keyPem), validity: made.validity };
}

interface Authority {
  readonly certPath: string;
  readonly key: KeyObject;
  readonly subject: Subject;
  readonly validity: Validity;
}

function ensureLeaf(authority: Authority, certPath: string, keyPath: string, options: LeafOptions, now: Date): boolean {
  const hasBoth = existsSync(certPath) && existsSync(keyPath);
  if (hasBoth && stillGood(certPath, keyPath, authority, options, now)) return false;
  const credential = createLeaf(authority, {
    ...options,
    validity: withinAuthority(options.validity, authority.validity),
  });
  // The old certificate is removed first, so that an interrupted start leaves no certificate beside another one's key.
  usingFile(certPath, () => rmSync(certPath, { force: true }));
  write(keyPath, credential.keyPem, 0o600);
  write(certPath, credential.certificatePem, 0o644);
  return true;
}

function stillGood(certPath: string, keyPath: string, authority: Authority, options: LeafOptions, now: Date): boolean {
  const { certificate } = readPair(certPath, keyPath, `remove ${certPath} and ${keyPath}, and both are made anew`);
  if (!isCurrent(validityOf(certificate), authority.validity, now, options.validity)) return false;
  if (!certificate.verify(readCertificateFile(authority.certPath, authorityRemedy).publicKey)) return false;
  return (options.hosts ?? []).every(
    (host) => (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined,
  );
}

function makeDirectory(paths: PkiPaths): void {
  ensurePrivateFolder(paths.directory);
}

/** Writes a file atomically, so that an interrupted start can be repeated. */
function write(path: string, contents: string, mode: number): void {
  const temporary = `${path}.${process.pid}.tmp`;
  usingFile(path, () => {
    writeFileSync(temporary, contents, { mode });
    chmodSync(temporary, mode);
    renameSync(temporary, path);
  });
}
