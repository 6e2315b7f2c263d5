import { X509Certificate } from 'node:crypto';
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';

/** What is outdated in the certificates of a server, in the words of metrics and annotations. */
export type Weakness = 'missing-san' | 'insecure-sha1';

/** A certificate that is signed by an algorithm with SHA-1, by another than itself. */
export interface Sha1Signed {
  /** As Go's crypto/x509 names it. */
  readonly algorithm: string;
  readonly issuer: string;
}

const none: readonly Weakness[] = [];
const certificatesAtMost = 10;
const missingName = /x509: certificate relies on legacy Common Name field/;
const insecureSignature = /x509: cannot verify signature: insecure algorithm.*SHA1/;

/**
 * What is outdated in the certificates that a server has sent, even where they are taken
 * (apiserver/pkg/util/x509metrics).
 */
export function weaknessesOf(socket: TLSSocket): readonly Weakness[] {
  const isNameless = socket.getPeerX509Certificate()?.subjectAltName === undefined;
  const isWeak = sha1Signed(socket) !== undefined;
  if (!isNameless && !isWeak) return none;
  return [...(isNameless ? (['missing-san'] as const) : []), ...(isWeak ? (['insecure-sha1'] as const) : [])];
}

/** What was outdated in the certificates of a server with which a connection failed so. */
export function weaknessesIn(failure: string): readonly Weakness[] {
  if (missingName.test(failure)) return ['missing-san'];
  return insecureSignature.test(failure) ? ['insecure-sha1'] : none;
}

/** The annotation of audit events of a call of this host. */
export function weaknessAnnotation(weakness: Weakness, host: string): readonly [key: string, value: string] {
  return [`${weakness}.invalid-cert.kubernetes.io/${host}`, reasons[weakness]];
}

const reasons: Readonly<Record<Weakness, string>> = {
  'missing-san': 'relies on a legacy Common Name field instead of the SAN extension for subject validation',
  'insecure-sha1': 'uses an insecure SHA-1 signature',
};

/** The first such certificate, from the server's own on. */
export function sha1Signed(socket: TLSSocket): Sha1Signed | undefined {
  let certificate: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
  for (let left = certificatesAtMost; left > 0 && certificate?.raw !== undefined; left--) {
    const { issuer, subject, signatureAlgorithmOid } = new X509Certificate(certificate.raw) as SignedCertificate;
    const algorithm = sha1Algorithms.get(signatureAlgorithmOid);
    if (algorithm !== undefined && issuer !== subject) return { algorithm, issuer: nameOf(certificate) };
    const { issuerCertificate }: DetailedPeerCertificate = certificate;
    // That of an authority of its own refers to itself.
    if (issuerCertificate === certificate) return undefined;
    certificate = issuerCertificate;
  }
  return undefined;
}

/** Node.js has this since 24.9. */
type SignedCertificate = X509Certificate & { readonly signatureAlgorithmOid: string };

/** The issuer as Go names a candidate. */
function nameOf({ issuer }: DetailedPeerCertificate): string {
  const { CN, O } = issuer;
  return [CN, O].flat().find((name) => name !== undefined && name !== '') ?? '';
}

const sha1Algorithms: ReadonlyMap<string, string> = new Map([
  ['1.2.840.113549.1.1.5', 'SHA1-RSA'],
  ['1.2.840.10045.4.1', 'ECDSA-SHA1'],
]);
