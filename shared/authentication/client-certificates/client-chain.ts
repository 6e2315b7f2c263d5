import { parseCertificate, type Certificate } from '../../x509/certificate.ts';
import { DerError } from '../../x509/der.ts';
import { CertificatePool, ChainError, keyUsages, verifyChain } from '../../x509/verify-chain.ts';
import { AuthenticationError } from '../contract/authenticator.ts';

/** Keys above it are no client's (crypto/tls, defaultMaxRSAKeySize): each costs its square. */
const largestRsaBits = 8192;

/** A client's certificate that proved good for client authentication. */
export interface VerifiedClient {
  readonly certificate: Certificate;
  /** When the first certificate of its chain ends. */
  readonly untilMs: number;
}

/**
 * Judges the certificates that a client sent, its own first, in DER. Rejects with AuthenticationError for those that
 * kube-apiserver does not take, in the handshake (crypto/tls processCertsFromClient) or behind it.
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
