import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';

/** @throws Error unless both can be parsed and the key belongs to the (first) certificate */
export function assertKeyPair(cert: string | Buffer, key: string | Buffer): void {
  // Node.js treats an empty certificate or key as absent, without an error.
  if (cert.length === 0 || key.length === 0) throw new Error('the certificate or its key is empty');
  createSecureContext({ cert, key });
}

/** @throws Error unless the text begins with a certificate; Node.js itself ignores anything else */
export function assertAuthorities(ca: string | Buffer): void {
  if (new X509Certificate(ca).raw.length === 0) throw new Error('the certificate is empty');
}
