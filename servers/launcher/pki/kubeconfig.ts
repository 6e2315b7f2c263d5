import { Buffer } from 'node:buffer';
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readPrivateKey } from '#shared/files/key-files.ts';
import { usingFile } from '#shared/files/unusable-file.ts';
import type { PkiPaths } from '#shared/process/data-directory.ts';
import { keyPem } from './key-form.ts';

/**
 * Writes the kubeconfig of the cluster's administrator (a client certificate in `system:masters`), mode 0600.
 * `servingCert` is the user's own serving certificate; it is trusted directly, as its authority is not known.
 */
export function writeKubeconfig(path: string, serverUrl: string, pki: PkiPaths, servingCert?: string): void {
  const read = (file: string): Buffer => usingFile(file, () => readFileSync(file));
  const authorities = Buffer.concat([pki.caCert, ...(servingCert === undefined ? [] : [servingCert])].map(read));
  const textWith = (key: Buffer): string =>
    kubeconfigOf({ serverUrl, authorities, user: 'kubernetes-admin', certificate: read(pki.adminCert), key });
  const [text, textOfOldForm] = [textWith(readableKey(pki.adminKey)), textWith(read(pki.adminKey))];
  // An unchanged file is not written again, so that a start on a full disk does not fail.
  const present = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  if (present === text) return;
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    usingFile(path, () => {
      writeFileSync(temporary, text, { mode: 0o600 });
      chmodSync(temporary, 0o600);
      renameSync(temporary, path);
    });
  } catch (error) {
    rmSync(temporary, { force: true });
    // Only the form of the key is that of an earlier release; most clients read it.
    if (present !== textOfOldForm) throw error;
  }
}

/** The file's key in the form that all clients read, also where the file itself could not be converted. */
function readableKey(path: string): Buffer {
  const key = readPrivateKey(path, 'remove it and its certificate, and both are made anew');
  return key.asymmetricKeyType === 'ec' ? Buffer.from(keyPem(key)) : readFileSync(path);
}

/** All of PEM. */
export interface KubeconfigParts {
  readonly serverUrl: string;
  readonly authorities: Buffer;
  /** The name of the user's entry: text that YAML takes as it is. */
  readonly user: string;
  readonly certificate: Buffer;
  readonly key: Buffer;
}

/** The text of a kubeconfig with one cluster and one user. */
export function kubeconfigOf({ serverUrl, authorities, user, certificate, key }: KubeconfigParts): string {
  return `apiVersion: v1
kind: Config
clusters:
- name: quarterdeck
  cluster:
    server: ${serverUrl}
    certificate-authority-data: ${authorities.toString('base64')}
contexts:
- name: quarterdeck
  context:
    cluster: quarterdeck
    user: ${user}
current-context: quarterdeck
users:
- name: ${user}
  user:
    client-certificate-data: ${certificate.toString('base64')}
    client-key-data: ${key.toString('base64')}
`;
}
