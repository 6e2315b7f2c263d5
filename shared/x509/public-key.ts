import { createPublicKey, type KeyObject } from 'node:crypto';
import { getKey } from '#shared/apimachinery/json/json.ts';
import { derElement, DerError, DerReader, derTags, onlySequence } from './der.ts';

/** A public key of a type that pod certificates may have. */
export interface PublicKey {
  readonly kind: 'ecdsa' | 'ed25519' | 'rsa';
  /** The key in DER (SubjectPublicKeyInfo); equal keys have equal bytes. */
  readonly der: Buffer;
  readonly key: KeyObject;
  /** The modulus of an RSA key; zero for others. */
  readonly modulus: bigint;
  readonly exponent: bigint;
  /** Bits of the modulus rounded up to whole bytes, for RSA. */
  readonly modulusBits: number;
  /** Go's name of the curve, for ECDSA. */
  readonly curve: string;
}

const kinds: Readonly<Record<string, PublicKey['kind']>> = {
  '2a864886f70d010101': 'rsa',
  '2a8648ce3d0201': 'ecdsa',
  '2b6570': 'ed25519',
};
/** Key types that Go's parser knows but that no certificate may have: DSA, X25519. */
const unused: ReadonlySet<string> = new Set(['2a8648ce380401', '2b656e']);
/** Curves by their object identifiers, with Go's names of the curve and its points, and the bytes of a coordinate. */
const curves: Readonly<Record<string, { readonly name: string; readonly point: string; readonly bytes: number }>> = {
  '2b81040021': { name: 'P-224', point: 'P224', bytes: 28 },
  '2a8648ce3d030107': { name: 'P-256', point: 'P256', bytes: 32 },
  '2b81040022': { name: 'P-384', point: 'P384', bytes: 48 },
  '2b81040023': { name: 'P-521', point: 'P521', bytes: 66 },
};
/** First byte of an uncompressed point, before its coordinates (SEC 1, 2.3.3). */
const uncompressed = 4;
const ed25519Bytes = 32;
/** First byte of a bit string without unused bits. */
const wholeBytes = Buffer.alloc(1);
const noParameters = Buffer.alloc(0);
const nullParameters = Buffer.from([derTags.null, 0]);

/**
 * Reads a SubjectPublicKeyInfo: `unused` for a key type that is known but never allowed, `unknown` for any other.
 * Throws DerError for malformed keys (crypto/x509 parsePublicKey).
 */
export function readPublicKey(der: Buffer): PublicKey | 'unknown' | 'unused' {
  const info = onlySequence(der);
  const named = info.take(derTags.sequence);
  const algorithm = onlySequence(named.whole);
  const identifier = algorithm.identifier();
  const parameters = algorithm.isAtEnd() ? noParameters : algorithm.next().whole;
  const bits = info.bits();
  const kind = getKey(kinds, identifier);
  if (kind === undefined) return unused.has(identifier) ? 'unused' : 'unknown';
  const own = infoOf(named.whole, bits);
  const found = details(kind, parameters, bits);
  return {
    kind,
    der: own,
    modulus: 0n,
    exponent: 0n,
    modulusBits: 0,
    curve: '',
    ...found,
    key: keyOf(own, found.curve),
  };
}

function details(kind: PublicKey['kind'], parameters: Buffer, bits: Buffer): Partial<PublicKey> {
  switch (kind) {
    case 'rsa': {
      if (!parameters.equals(nullParameters)) throw new DerError('x509: RSA key missing NULL parameters');
      return readRsa(bits);
    }
    case 'ecdsa': {
      const curve = getKey(curves, new DerReader(parameters).identifier());
      if (curve === undefined) throw new DerError('x509: unsupported elliptic curve');
      // Compressed points, which begin with another byte, are refused.
      if (bits[0] !== uncompressed) throw new DerError('ecdsa: invalid uncompressed public key');
      if (bits.length !== 1 + 2 * curve.bytes) throw new DerError(`invalid ${curve.point} point encoding`);
      return { curve: curve.name };
    }
    case 'ed25519': {
      if (parameters.length > 0 || bits.length !== ed25519Bytes)
        throw new DerError('x509: wrong Ed25519 public key size');
      return {};
    }
  }
}

function readRsa(bits: Buffer): Pick<PublicKey, 'exponent' | 'modulus' | 'modulusBits'> {
  const numbers = onlySequence(bits);
  const [modulus, exponent] = [numbers.integer(), numbers.integer()];
  if (modulus <= 0n || exponent <= 0n || exponent >= 2n ** 63n)
    throw new DerError('x509: RSA modulus is not a positive number');
  return { modulus, exponent, modulusBits: Math.ceil(modulus.toString(2).length / 8) * 8 };
}

/** The SubjectPublicKeyInfo without trailing bytes, which Go ignores but OpenSSL refuses. */
function infoOf(algorithm: Buffer, bits: Buffer): Buffer {
  return derElement(
    derTags.sequence,
    Buffer.concat([algorithm, derElement(derTags.bitString, Buffer.concat([wholeBytes, bits]))]),
  );
}

function keyOf(der: Buffer, curve: string | undefined): KeyObject {
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' });
  } catch {
    throw new DerError(
      curve === undefined ? 'x509: invalid public key' : `${curve.replace('-', '')} point not on curve`,
    );
  }
}
