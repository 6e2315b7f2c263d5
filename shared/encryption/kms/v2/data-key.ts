import { createHmac } from 'node:crypto';
import { aesKey, openAesGcm, sealAesGcm } from '#shared/encryption/ciphers/aes-gcm.ts';
import type { DataKeyType } from './kms-messages.ts';

/** Encrypts values by a key that a KMS plugin has encrypted. */
export interface DataKey {
  open(encrypted: Buffer, key: string): Buffer;
}

/** Bytes of a seed, of the keys derived from it, and of the random bytes before each value. */
export const seedBytes = 32;

/**
 * A data key as the plugin decrypted it.
 * @throws Error for a key of a wrong length
 */
export function dataKeyOf(type: DataKeyType, secret: Buffer): DataKey {
  if (type === 'HKDF_SHA256_XNONCE_AES_GCM_SEED') return new SeedKey(secret);
  const key = aesKey(secret);
  return { open: (encrypted, authenticated) => openAesGcm(key, encrypted, authenticated) };
}

/**
 * AES-GCM with an extended nonce (KEP-3299): each value has a key of its own, derived from the seed by HKDF-Expand with
 * 32 random bytes, which stand before the value. So one seed may encrypt any number of values.
 */
export class SeedKey implements DataKey {
  readonly #seed: Buffer;

  constructor(seed: Buffer) {
    if (seed.length < seedBytes) throw new Error(`invalid seed length ${seed.length} used for key generation`);
    this.#seed = Buffer.from(seed);
  }

  /** @param info 32 bytes that were never used with this seed */
  seal(plain: Uint8Array, key: string, info: Buffer): Buffer {
    return Buffer.concat([info, sealAesGcm(this.#derived(info), plain, key)]);
  }

  open(encrypted: Buffer, key: string): Buffer {
    if (encrypted.length < seedBytes) throw new Error('the stored data was shorter than the required size');
    return openAesGcm(this.#derived(encrypted.subarray(0, seedBytes)), encrypted.subarray(seedBytes), key);
  }

  /** The first block of HKDF-Expand (RFC 5869, section 2.3), which is as long as the key. */
  #derived(info: Buffer): Buffer {
    return createHmac('sha256', this.#seed).update(info).update(Buffer.of(1)).digest();
  }
}
