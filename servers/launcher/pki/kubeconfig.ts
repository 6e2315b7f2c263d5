import { Buffer } from 'node:buffer';
import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { PkiPaths } from './pki.ts';

/** Writes the kubeconfig of the cluster's administrator (a client certificate in `system:masters`), mode 0600. */
export function writeKubeconfig(path: string, serverUrl: string, pki: PkiPaths): void {
  const data = (file: string) => Buffer.from(readFileSync(file)).toString('base64');
  const text = `apiVersion: v1
kind: Config
clusters:
- name: quarterdeck
  cluster:
    server: ${serverUrl}
    certificate-authority-data: ${data(pki.caCert)}
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
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, text, { mode: 0o600 });
  chmodSync(temporary, 0o600);
  renameSync(temporary, path);
}
