import { createPrivateKey } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAuthority, createLeaf } from '#servers/launcher/pki/certificate.ts';
import { validityAt } from '#servers/launcher/pki/validity.ts';
import type { EtcdCertificates } from '#test/etcd-cluster.ts';

/** By what etcd may know the holder of the client certificate. */
export const clientName = 'kube-apiserver-etcd-client';

/** An authority below `folder`, with a certificate for etcd and one for its client. */
export function makeCertificates(folder: string): EtcdCertificates {
  mkdirSync(folder, { recursive: true });
  const subject = { commonName: 'etcd-ca' };
  const validity = validityAt(new Date(), 1);
  const authority = createAuthority(subject, validity);
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const leaf = (commonName: string, usage: 'serverAuth' | 'clientAuth') =>
    createLeaf(
      { subject, key: createPrivateKey(authority.keyPem) },
      { subject: { commonName }, usage, hosts: ['127.0.0.1', 'localhost'], validity },
    );
  const [server, client] = [leaf('etcd', 'serverAuth'), leaf(clientName, 'clientAuth')];
  return {
    caFile: write('ca.crt', authority.certificatePem),
    serverCertFile: write('server.crt', server.certificatePem),
    serverKeyFile: write('server.key', server.keyPem),
    certFile: write('client.crt', client.certificatePem),
    keyFile: write('client.key', client.keyPem),
  };
}
