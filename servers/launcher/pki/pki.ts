import { createPrivateKey, generateKeyPair, X509Certificate } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { ensurePrivateFolder } from '../../../shared/files/private-folder.ts';
import type { PkiPaths } from '../../../shared/server/data-directory.ts';
import { backendServerName } from '../../../shared/server/link/backend-address.ts';
import { createAuthority, createLeaf } from './certificate.ts';
import type { LeafOptions, Subject } from './certificate.ts';

const authorityDays = 3650;
const leafDays = 365;
/** A certificate with less time left than this is made anew at start. */
const renewBeforeMs = 60 * 86_400_000;

const clusterAuthority: Subject = { commonName: 'quarterdeck-ca' };
const frontProxyAuthority: Subject = { commonName: 'quarterdeck-front-proxy-ca' };

/** Makes what is missing. An RSA key takes 50 to 300 ms: start this first, it runs beside everything else. */
export async function ensureServiceAccountKeys(paths: PkiPaths): Promise<void> {
  if (existsSync(paths.serviceAccountKey) && existsSync(paths.serviceAccountPublicKey)) return;
  makeDirectory(paths);
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  // The public key first: whoever sees the private key finds both.
  write(paths.serviceAccountPublicKey, publicKey, 0o644);
  write(paths.serviceAccountKey, privateKey, 0o600);
}

/** Makes authorities once, and certificates when they are missing, near their end, or do not name all `servingHosts`. */
export function ensureCertificates(paths: PkiPaths, servingHosts: readonly string[], now = new Date()): void {
  makeDirectory(paths);
  ensureAuthority(paths.caCert, paths.caKey, clusterAuthority, now);
  ensureAuthority(paths.frontProxyCaCert, paths.frontProxyCaKey, frontProxyAuthority, now);
  const leaf = { now, days: leafDays };
  const cluster = { certPath: paths.caCert, keyPath: paths.caKey, subject: clusterAuthority };
  ensureLeaf(cluster, paths.servingCert, paths.servingKey, { ...leaf, subject: { commonName: 'kube-apiserver' }, usage: 'serverAuth', hosts: servingHosts });
  ensureLeaf(cluster, paths.adminCert, paths.adminKey, { ...leaf, subject: { commonName: 'kubernetes-admin', organization: 'system:masters' }, usage: 'clientAuth' });
  ensureLeaf(cluster, paths.kubeletClientCert, paths.kubeletClientKey, { ...leaf, subject: { commonName: 'kube-apiserver-kubelet-client', organization: 'system:masters' }, usage: 'clientAuth' });
  const frontProxy = { certPath: paths.frontProxyCaCert, keyPath: paths.frontProxyCaKey, subject: frontProxyAuthority };
  ensureLeaf(frontProxy, paths.frontProxyClientCert, paths.frontProxyClientKey, { ...leaf, subject: { commonName: 'front-proxy-client' }, usage: 'clientAuth' });
  ensureLeaf(frontProxy, paths.backendCert, paths.backendKey, { ...leaf, subject: { commonName: 'quarterdeck-backend' }, usage: 'serverAuth', hosts: [backendServerName] });
}

/**
 * Makes a serving certificate in a folder of the user's, followed by its authority, where there is none: what is there
 * already is the user's (as the reference does with `--cert-dir`, by an RSA key, too).
 */
export function ensureServingPair(paths: PkiPaths, pair: { readonly cert: string; readonly key: string }, hosts: readonly string[], now = new Date()): void {
  if (existsSync(pair.cert) && existsSync(pair.key)) return;
  mkdirSync(dirname(pair.cert), { recursive: true });
  const authority = { subject: clusterAuthority, key: createPrivateKey(readFileSync(paths.caKey)) };
  const credential = createLeaf(authority, { now, days: leafDays, subject: { commonName: 'kube-apiserver' }, usage: 'serverAuth', hosts, rsa: true });
  write(pair.key, credential.keyPem, 0o600);
  write(pair.cert, `${credential.certificatePem.trimEnd()}\n${readFileSync(paths.caCert, 'utf8')}`, 0o644);
}

function ensureAuthority(certPath: string, keyPath: string, subject: Subject, now: Date): void {
  if (existsSync(certPath) && existsSync(keyPath)) return;
  const authority = createAuthority(subject, now, authorityDays);
  write(keyPath, authority.keyPem, 0o600);
  write(certPath, authority.certificatePem, 0o644);
}

interface AuthorityFiles {
  readonly certPath: string;
  readonly keyPath: string;
  readonly subject: Subject;
}

function ensureLeaf(authority: AuthorityFiles, certPath: string, keyPath: string, options: LeafOptions): void {
  if (existsSync(certPath) && existsSync(keyPath) && stillGood(certPath, authority.certPath, options)) return;
  const key = createPrivateKey(readFileSync(authority.keyPath));
  const credential = createLeaf({ subject: authority.subject, key }, options);
  write(keyPath, credential.keyPem, 0o600);
  write(certPath, credential.certificatePem, 0o644);
}

function stillGood(certPath: string, authorityPath: string, options: LeafOptions): boolean {
  const certificate = new X509Certificate(readFileSync(certPath));
  if (certificate.validToDate.getTime() - options.now.getTime() < renewBeforeMs) return false;
  if (!certificate.verify(new X509Certificate(readFileSync(authorityPath)).publicKey)) return false;
  return (options.hosts ?? []).every((host) => (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined);
}

function makeDirectory(paths: PkiPaths): void {
  ensurePrivateFolder(paths.directory, true);
}

/** Whole or not at all, so that a start that was interrupted can be repeated. */
function write(path: string, contents: string, mode: number): void {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, contents, { mode });
  chmodSync(temporary, mode);
  renameSync(temporary, path);
}
