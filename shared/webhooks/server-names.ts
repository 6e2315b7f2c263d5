import { checkServerIdentity, type PeerCertificate } from 'node:tls';

/**
 * Checks for which names a server's certificate is. As in Go, the common name of a certificate without alternative
 * names counts for nothing; Node.js takes it.
 */
export function checkServerNames(host: string, certificate: PeerCertificate): Error | undefined {
  const fault = checkServerIdentity(host, certificate);
  if (fault !== undefined || certificate.subjectaltname !== undefined) return fault;
  return new Error(`tls: failed to verify certificate: ${legacyName}, use SANs instead`);
}

const legacyName = 'x509: certificate relies on legacy Common Name field';

/**
 * The annotation that audit events have of a call that failed since the certificate of this server has a common name
 * only; undefined for other failures (apiserver pkg/util/x509metrics).
 */
export function missingNameAnnotation(
  failure: string,
  host: string,
): readonly [key: string, value: string] | undefined {
  if (!failure.includes(legacyName)) return undefined;
  const reason = 'relies on a legacy Common Name field instead of the SAN extension for subject validation';
  return [`missing-san.invalid-cert.kubernetes.io/${host}`, reason];
}
