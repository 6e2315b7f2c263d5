import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';

/** @throws Error unless a handshake can be made with them: both whole, and the key that of the (first) certificate */
export function assertKeyPair(cert: string | Buffer, key: string | Buffer): void {
  // Node.js takes empty ones for none, and has nothing against that.
  if (cert.length === 0 || key.length === 0) throw new Error('the certificate or its key is empty');
  createSecureContext({ cert, key });
}

/** @throws Error unless it begins with a certificate; Node.js passes over what is none */
export function assertAuthorities(ca: string | Buffer): void {
  if (new X509Certificate(ca).raw.length === 0) throw new Error('the certificate is empty');
}
