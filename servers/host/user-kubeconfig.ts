import { Buffer } from 'node:buffer';
import { readFileSync, writeFileSync } from 'node:fs';
import { kubeconfigOf } from '#servers/launcher/pki/kubeconfig.ts';
import { createUserCertificate } from '#servers/launcher/pki/pki.ts';
import type { PkiPaths } from '#shared/process/data-directory.ts';
import type { User } from './client/public-types.ts';

/** Writes a kubeconfig, mode 0600, with a certificate that names the user and its groups. */
export function writeUserKubeconfig(path: string, serverUrl: string, pki: PkiPaths, { name, groups = [] }: User): void {
  const { certificatePem, keyPem } = createUserCertificate(pki, { name, groups });
  const text = kubeconfigOf({
    serverUrl,
    authorities: readFileSync(pki.caCert),
    user: 'user',
    certificate: Buffer.from(certificatePem),
    key: Buffer.from(keyPem),
  });
  writeFileSync(path, text, { mode: 0o600 });
}
