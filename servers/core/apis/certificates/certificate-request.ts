import { verify } from 'node:crypto';
import { getKey } from '#shared/apimachinery/json/json.ts';
import { DerError, derTags, onlySequence } from '#shared/x509/der.ts';
import { readRequestName, type NameAttribute } from '#shared/x509/distinguished-name.ts';
import { pemBlocks } from '#shared/x509/pem.ts';
import { readPublicKey, type PublicKey } from '#shared/x509/public-key.ts';

// The parts of PKCS #10 (RFC 2986) that prove that the requester has the private key.

interface Algorithm {
  readonly kind: PublicKey['kind'];
  /** Null if the algorithm has a hash of its own. */
  readonly hash: string | null;
}

/** Signature algorithms by their identifiers in hexadecimal DER. */
const algorithms: Readonly<Record<string, Algorithm>> = {
  '2a8648ce3d0401': { kind: 'ecdsa', hash: 'sha1' },
  '2a8648ce3d040302': { kind: 'ecdsa', hash: 'sha256' },
  '2a8648ce3d040303': { kind: 'ecdsa', hash: 'sha384' },
  '2a8648ce3d040304': { kind: 'ecdsa', hash: 'sha512' },
  '2a864886f70d010105': { kind: 'rsa', hash: 'sha1' },
  '2a864886f70d01010b': { kind: 'rsa', hash: 'sha256' },
  '2a864886f70d01010c': { kind: 'rsa', hash: 'sha384' },
  '2a864886f70d01010d': { kind: 'rsa', hash: 'sha512' },
  '2b6570': { kind: 'ed25519', hash: null },
};

const failures: Readonly<Record<PublicKey['kind'], string>> = {
  ecdsa: 'x509: ECDSA verification failure',
  rsa: 'crypto/rsa: verification error',
  ed25519: 'x509: Ed25519 verification failure',
};
const attributesTag = 0xa0;
const unsupported = 'x509: cannot verify signature: algorithm unimplemented';

/** A parsed request whose signature is not checked yet. */
export interface CertificateRequest {
  /** Attributes of the subject that are strings. */
  readonly subject: readonly NameAttribute[];
  readonly publicKey: ReturnType<typeof readPublicKey>;
  readonly signed: Buffer;
  /** Identifier of the algorithm in hexadecimal DER. */
  readonly algorithm: string;
  readonly signature: Buffer;
}

/** Parses a request in DER. Throws DerError if the bytes are not a request. */
export function readCertificateRequest(der: Buffer): CertificateRequest {
  const outer = onlySequence(der);
  const info = outer.take(derTags.sequence);
  const inner = onlySequence(info.whole);
  inner.integer();
  const subject = readRequestName(inner);
  const publicKey = readPublicKey(inner.take(derTags.sequence).whole);
  for (const attributes = inner.inner(attributesTag); !attributes.isAtEnd();) attributes.next();
  const algorithm = outer.algorithm();
  return { subject, publicKey, signed: info.whole, algorithm, signature: outer.bits() };
}

/** The reference's error message if the request is not signed with its own key. */
export function signatureError({ publicKey, signed, algorithm, signature }: CertificateRequest): string | undefined {
  const method = getKey(algorithms, algorithm);
  if (method === undefined || typeof publicKey === 'string') return unsupported;
  if (method.kind !== publicKey.kind)
    return `x509: signature algorithm specifies an ${names[method.kind]} public key, but have public key of type ${goTypes[publicKey.kind]}`;
  return verify(method.hash, signed, publicKey.key, signature) ? undefined : failures[publicKey.kind];
}

const names: Readonly<Record<PublicKey['kind'], string>> = { ecdsa: 'ECDSA', rsa: 'RSA', ed25519: 'Ed25519' };
const goTypes: Readonly<Record<PublicKey['kind'], string>> = {
  ecdsa: '*ecdsa.PublicKey',
  rsa: '*rsa.PublicKey',
  ed25519: 'ed25519.PublicKey',
};

/** Parses the request at the start of a PEM text; does not check its signature. Throws DerError if there is none. */
export function readPemRequest(pem: string): CertificateRequest {
  const block = pemBlocks(pem).next().value;
  if (block?.type !== 'CERTIFICATE REQUEST') throw new DerError('PEM block type must be CERTIFICATE REQUEST');
  return readCertificateRequest(block.bytes);
}

/**
 * The reference's error message if a PEM text is not a request that its own key signed
 * (pkg/apis/certificates/validation, validateCSR).
 */
export function certificateRequestError(pem: string): string | undefined {
  try {
    return signatureError(readPemRequest(pem));
  } catch (error) {
    if (error instanceof DerError) return error.message;
    throw error;
  }
}
