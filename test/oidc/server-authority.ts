import { createPrivateKey } from 'node:crypto';
import { createAuthority, createLeaf } from '#servers/launcher/pki/certificate.ts';

/** What a TLS server of a test needs, and what its clients trust. */
export interface ServerAuthority {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** A new authority with a certificate for servers at 127.0.0.1 and localhost. */
export function createServerAuthority(): ServerAuthority {
  const subject = { commonName: 'authority of issuers' };
  const validity = { from: new Date(Date.now() - 60_000), to: new Date(Date.now() + 24 * 3_600_000) };
  const authority = createAuthority(subject, validity);
  const leaf = createLeaf(
    { subject, key: createPrivateKey(authority.keyPem) },
    { subject: { commonName: 'issuer' }, usage: 'serverAuth', hosts: ['127.0.0.1', 'localhost'], validity },
  );
  return { ca: authority.certificatePem, cert: leaf.certificatePem, key: leaf.keyPem };
}
