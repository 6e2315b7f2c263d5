import { AuthenticationError } from '#shared/authentication/contract/authenticator.ts';
import { parseCertificate, type Certificate } from '#shared/x509/certificate.ts';
import { DerError } from '#shared/x509/der.ts';
import { CertificatePool, ChainError, keyUsages, verifyChain } from '#shared/x509/verify-chain.ts';

/**
 * Client certificates with larger keys are refused (crypto/tls, defaultMaxRSAKeySize): the cost of a check grows with
 * the square of the size.
 */
const largestRsaBits = 8192;

/** A client certificate that was verified for client authentication. */
export interface VerifiedClient {
  readonly certificate: Certificate;
  /** When the first certificate of its chain expires. */
  readonly untilMs: number;
}

/**
 * Verifies the certificates that a client sent, in DER, the client's own first. Rejects with AuthenticationError if
 * kube-apiserver would refuse them, in the handshake (crypto/tls processCertsFromClient) or after it.
 */
export async function verifyClient(
  sent: readonly Buffer[],
  roots: CertificatePool,
  nowMs: number,
): Promise<VerifiedClient> {
  try {
    const [certificate, ...others] = sent.map(readSent);
    if (certificate === undefined) throw new AuthenticationError('no certificate was sent');
    if (typeof certificate.key === 'string')
      throw new AuthenticationError('tls: client certificate contains an unsupported public key');
    const chain = await verifyChain(certificate, {
      roots,
      intermediates: new CertificatePool(others),
      nowMs,
      usage: keyUsages.clientAuth,
    });
    return { certificate, untilMs: Math.min(...chain.map(({ notAfterMs }) => notAfterMs)) };
  } catch (error) {
    if (error instanceof DerError)
      throw new AuthenticationError(`tls: failed to parse certificate from client: ${error.message}`);
    if (error instanceof ChainError) throw new AuthenticationError(`verifying certificate failed: ${error.message}`);
    throw error;
  }
}

function readSent(der: Buffer): Certificate {
  const certificate = parseCertificate(der);
  if (typeof certificate.key !== 'string' && certificate.key.modulus.toString(2).length > largestRsaBits) {
    throw new AuthenticationError(`tls: client sent certificate containing RSA key larger than ${largestRsaBits} bits`);
  }
  return certificate;
}
