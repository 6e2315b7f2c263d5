import { checkServerIdentity, type PeerCertificate } from 'node:tls';

/**
 * Checks for which names a server's certificate is. As in Go, the common name of a certificate without alternative
 * names counts for nothing; Node.js takes it.
 */
export function checkServerNames(host: string, certificate: PeerCertificate): Error | undefined {
  const fault = checkServerIdentity(host, certificate);
  if (fault !== undefined || certificate.subjectaltname !== undefined) return fault;
  return new Error(
    `tls: failed to verify certificate: x509: certificate relies on legacy Common Name field, use SANs instead`,
  );
}
