import { createPublicKey, type KeyObject } from 'node:crypto';
import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { safeParse } from '#shared/serializer/json/safe-parse.ts';

/** A public key of a provider, as go-jose reads it from a JSON Web Key (RFC 7517). */
export interface ProviderKey {
  /** Empty for a key without one. */
  readonly keyId: string;
  readonly key: KeyObject;
}

/** A key set, or a key of it, that go-jose does not read. */
export class KeySetError extends Error {
  override readonly name = 'KeySetError';
}

const smallestModulus = 1024;

/**
 * Reads a JSON Web Key Set. Keys that cannot verify a signature of the allowed algorithms are left out; one that cannot
 * be read spoils the whole set, as in go-jose.
 * @throws KeySetError
 */
export function* readKeySet(text: string): Steps<ProviderKey[]> {
  let set: JsonValue;
  try {
    set = safeParse(text) as JsonValue;
  } catch (error) {
    throw new KeySetError((error as Error).message, { cause: error });
  }
  const listed = isObject(set) ? (set['keys'] ?? []) : undefined;
  if (!Array.isArray(listed)) throw new KeySetError('the key set has no list of keys');
  const keys: ProviderKey[] = [];
  for (const item of listed) {
    if (sliceIsOver()) yield;
    if (!isObject(item)) throw new KeySetError('a key of the key set is no object');
    const key = readKey(item);
    if (key !== undefined) keys.push(key);
  }
  return keys;
}

/** Undefined for a key that is not the public half of a pair. */
function readKey(json: JsonObject): ProviderKey | undefined {
  const { kty, kid = '', d } = json;
  if (kid !== null && typeof kid !== 'string') throw new KeySetError('a key id is no text');
  if (kty === 'oct') return undefined;
  if (kty !== 'RSA' && kty !== 'EC' && kty !== 'OKP')
    throw new KeySetError(`unknown json web key type '${String(kty)}'`);
  if (d !== undefined && d !== null) return undefined;
  try {
    const key = createPublicKey({ key: json, format: 'jwk' });
    return isSound(key) ? { keyId: kid ?? '', key } : undefined;
  } catch (error) {
    throw new KeySetError(`invalid ${kty} key: ${(error as Error).message}`, { cause: error });
  }
}

/** Whether Go would verify a signature by this key: it refuses short RSA keys (crypto/rsa checkKeySize). */
function isSound({ asymmetricKeyDetails }: KeyObject): boolean {
  const { modulusLength, publicExponent = 3n } = asymmetricKeyDetails ?? {};
  return (modulusLength ?? smallestModulus) >= smallestModulus && publicExponent > 2n && publicExponent % 2n === 1n;
}
