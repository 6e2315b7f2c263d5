import { createPublicKey, type KeyObject } from 'node:crypto';
import { derElement, DerError, DerReader, derTags, onlySequence } from './der.ts';

/** A public key of a kind that pod certificates may have. */
export interface PublicKey {
  readonly kind: 'ecdsa' | 'ed25519' | 'rsa';
  /** Its DER (SubjectPublicKeyInfo): one key has one form. */
  readonly der: Buffer;
  readonly key: KeyObject;
  /** Bits of the modulus in whole bytes, for RSA. */
  readonly modulusBits: number;
  /** Go's name, for ECDSA. */
  readonly curve: string;
}

const kinds: Readonly<Record<string, PublicKey['kind']>> = { '2a864886f70d010101': 'rsa', '2a8648ce3d0201': 'ecdsa', '2b6570': 'ed25519' };
/** Keys that Go reads, but that nobody may use: DSA, X25519. */
const unused: ReadonlySet<string> = new Set(['2a8648ce380401', '2b656e']);
const curves: Readonly<Record<string, string>> = { '2b81040021': 'P-224', '2a8648ce3d030107': 'P-256', '2b81040022': 'P-384', '2b81040023': 'P-521' };
const ed25519Bytes = 32;
/** No bits are left over. */
const wholeBytes = Buffer.alloc(1);
const noParameters = Buffer.alloc(0);
const nullParameters = Buffer.from([derTags.null, 0]);

/**
 * The key of a SubjectPublicKeyInfo; `unused` for a kind that is read but never allowed, `unknown` for a kind that nobody
 * knows. Throws DerError for what is no key (crypto/x509 parsePublicKey).
 */
export function readPublicKey(der: Buffer): PublicKey | 'unknown' | 'unused' {
  const info = onlySequence(der);
  const named = info.take(derTags.sequence);
  const algorithm = onlySequence(named.whole);
  const identifier = algorithm.identifier();
  const parameters = algorithm.isAtEnd() ? noParameters : algorithm.next().whole;
  const bits = info.bits();
  const kind = kinds[identifier];
  if (kind === undefined) return unused.has(identifier) ? 'unused' : 'unknown';
  const own = infoOf(named.whole, bits);
  return { kind, der: own, modulusBits: 0, curve: '', ...details(kind, parameters, bits), key: keyOf(own) };
}

function details(kind: PublicKey['kind'], parameters: Buffer, bits: Buffer): Partial<PublicKey> {
  switch (kind) {
    case 'rsa': {
      if (!parameters.equals(nullParameters)) throw new DerError('x509: RSA key missing NULL parameters');
      return { modulusBits: modulusBits(bits) };
    }
    case 'ecdsa': {
      const curve = curves[new DerReader(parameters).identifier()];
      // Compressed points begin otherwise.
      if (curve === undefined || bits[0] !== 4) throw new DerError('x509: unsupported elliptic curve');
      return { curve };
    }
    case 'ed25519': {
      if (parameters.length > 0 || bits.length !== ed25519Bytes) throw new DerError('x509: wrong Ed25519 public key size');
      return {};
    }
  }
}

function modulusBits(bits: Buffer): number {
  const numbers = onlySequence(bits);
  const [modulus, exponent] = [numbers.integer(), numbers.integer()];
  if (modulus <= 0n || exponent <= 0n || exponent >= 2n ** 63n) throw new DerError('x509: RSA modulus is not a positive number');
  return Math.ceil(modulus.toString(2).length / 8) * 8;
}

/** Without what may stand behind the key: OpenSSL takes none of it, and Go leaves it aside. */
function infoOf(algorithm: Buffer, bits: Buffer): Buffer {
  return derElement(derTags.sequence, Buffer.concat([algorithm, derElement(derTags.bitString, Buffer.concat([wholeBytes, bits]))]));
}

function keyOf(der: Buffer): KeyObject {
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' });
  } catch {
    throw new DerError('x509: invalid public key');
  }
}
