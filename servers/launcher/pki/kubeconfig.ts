import { Buffer } from 'node:buffer';
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { usingFile } from '#shared/files/unusable-file.ts';
import type { PkiPaths } from '#shared/process/data-directory.ts';

/**
 * Writes the kubeconfig of the cluster's administrator (a client certificate in `system:masters`), mode 0600.
 * `servingCert` is the user's own serving certificate; it is trusted directly, as its authority is not known.
 */
export function writeKubeconfig(path: string, serverUrl: string, pki: PkiPaths, servingCert?: string): void {
  const data = (...files: string[]) =>
    Buffer.concat(files.map((file) => usingFile(file, () => readFileSync(file)))).toString('base64');
  const authorities = servingCert === undefined ? [pki.caCert] : [pki.caCert, servingCert];
  const text = `apiVersion: v1
kind: Config
clusters:
- name: quarterdeck
  cluster:
    server: ${serverUrl}
    certificate-authority-data: ${data(...authorities)}
contexts:
- name: quarterdeck
  context:
    cluster: quarterdeck
    user: kubernetes-admin
current-context: quarterdeck
users:
- name: kubernetes-admin
  user:
    client-certificate-data: ${data(pki.adminCert)}
    client-key-data: ${data(pki.adminKey)}
`;
  // An unchanged file is not written again, so that a start on a full disk does not fail.
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  const temporary = `${path}.${process.pid}.tmp`;
  usingFile(path, () => {
    writeFileSync(temporary, text, { mode: 0o600 });
    chmodSync(temporary, 0o600);
    renameSync(temporary, path);
  });
}
