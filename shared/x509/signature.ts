import { constants, verify, type VerifyKeyObjectInput } from 'node:crypto';
import { promisify } from 'node:util';
import { getKey } from '#shared/apimachinery/json/json.ts';
import { DerError, DerReader, derTags, onlySequence, undefinedIfMalformed } from './der.ts';
import type { PublicKey } from './public-key.ts';

/** The algorithm with which a certificate was signed. */
export interface SignatureAlgorithm {
  readonly kind: PublicKey['kind'];
  /** Null if the algorithm has its own hash. */
  readonly hash: 'sha256' | 'sha384' | 'sha512' | null;
  readonly isPss: boolean;
}

const sha2 = {
  sha256: { id: '608648016503040201', salt: 32 },
  sha384: { id: '608648016503040202', salt: 48 },
  sha512: { id: '608648016503040203', salt: 64 },
} as const;
const ecdsa = (hash: keyof typeof sha2): SignatureAlgorithm => ({ kind: 'ecdsa', hash, isPss: false });
const rsa = (hash: keyof typeof sha2, isPss = false): SignatureAlgorithm => ({ kind: 'rsa', hash, isPss });

/**
 * Algorithms by the content of their object identifiers. Signatures with MD5, SHA-1 or DSA are not accepted, as in Go
 * (crypto/x509 checkSignature).
 */
const algorithms: Readonly<Record<string, SignatureAlgorithm>> = {
  '2a8648ce3d040302': ecdsa('sha256'),
  '2a8648ce3d040303': ecdsa('sha384'),
  '2a8648ce3d040304': ecdsa('sha512'),
  '2a864886f70d01010b': rsa('sha256'),
  '2a864886f70d01010c': rsa('sha384'),
  '2a864886f70d01010d': rsa('sha512'),
};
const ed25519Id = '2b6570';
const pssId = '2a864886f70d01010a';
const mgf1Id = '2a864886f70d010108';
const pssTags = { hash: 0xa0, mask: 0xa1, salt: 0xa2, trailer: 0xa3 };
const nullParameters = Buffer.from([derTags.null, 0]);

const smallestModulus = 1024;
const largestExponent = 2n ** 31n - 1n;
/** A limit of OpenSSL that Go does not have: OPENSSL_RSA_MAX_MODULUS_BITS. */
const largestModulus = 16_384;

/** Undefined for an unknown algorithm. Throws DerError for a malformed one. */
export function readSignatureAlgorithm(whole: Buffer): SignatureAlgorithm | undefined {
  const algorithm = onlySequence(whole);
  const id = algorithm.identifier();
  const parameters = algorithm.isAtEnd() ? undefined : algorithm.next().whole;
  if (id === ed25519Id) return parameters === undefined ? { kind: 'ed25519', hash: null, isPss: false } : undefined;
  if (id === pssId) return parameters && undefinedIfMalformed(() => readPss(parameters));
  return getKey(algorithms, id);
}

/** Reads RSA-PSS parameters; undefined unless they use one hash throughout and a salt of its length. */
function readPss(parameters: Buffer): SignatureAlgorithm | undefined {
  const fields = new DerReader(parameters).sequence();
  const explicit = (tag: number): DerReader => new DerReader(fields.take(tag).content);
  const hash = readHash(explicit(pssTags.hash));
  const mask = explicit(pssTags.mask).sequence();
  if (mask.identifier() !== mgf1Id || readHash(mask) !== hash) return undefined;
  const salt = explicit(pssTags.salt).integer();
  const trailer = fields.optional(pssTags.trailer);
  if (trailer !== undefined && new DerReader(trailer.content).integer() !== 1n) return undefined;
  const name = (Object.keys(sha2) as (keyof typeof sha2)[]).find(
    (key) => sha2[key].id === hash && BigInt(sha2[key].salt) === salt,
  );
  return name && rsa(name, true);
}

function readHash(from: DerReader): string {
  const algorithm = from.sequence();
  const id = algorithm.identifier();
  if (!algorithm.isAtEnd() && !algorithm.next().whole.equals(nullParameters))
    throw new DerError('x509: unknown parameters of a hash');
  return id;
}

/** `verify` of node:crypto, on another thread. */
export const verifyInPool = promisify(
  verify as (
    hash: string | null,
    data: Buffer,
    key: VerifyKeyObjectInput,
    signature: Buffer,
    done: (error: Error | null, isGood: boolean) => void,
  ) => void,
);

/** Whether a key made a signature, on another thread: a chain may have a hundred keys of any size. */
export async function isSignedBy(
  algorithm: SignatureAlgorithm | undefined,
  signed: Buffer,
  signature: Buffer,
  key: PublicKey,
): Promise<boolean> {
  if (algorithm === undefined || algorithm.kind !== key.kind) return false;
  if (key.kind === 'rsa' && !isSoundRsa(key)) return false;
  const padding = !algorithm.isPss
    ? {}
    : { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  try {
    return await verifyInPool(algorithm.hash, signed, { key: key.key, ...padding }, signature);
  } catch {
    // OpenSSL throws for some keys and signatures instead of returning false.
    return false;
  }
}

/**
 * Whether an RSA key passes the checks that Go makes before it verifies a signature (crypto/rsa checkKeySize,
 * checkPublicKey).
 */
function isSoundRsa({ modulus, exponent }: PublicKey): boolean {
  const bits = modulus.toString(2).length;
  return (
    bits >= smallestModulus &&
    bits <= largestModulus &&
    modulus % 2n === 1n &&
    exponent > 2n &&
    exponent % 2n === 1n &&
    exponent <= largestExponent
  );
}
