import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto';
import type { AesKey } from './aes-gcm.ts';

const blockBytes = 16;

/** A random initialization vector, and the encrypted bytes with PKCS#7 padding. Nothing is authenticated. */
export function sealAesCbc(key: AesKey, plain: Uint8Array): Buffer {
  const iv = randomFillSync(Buffer.allocUnsafe(blockBytes));
  const cipher = createCipheriv(algorithm(key), key, iv);
  return Buffer.concat([iv, cipher.update(plain), cipher.final()]);
}

/** @throws Error if the bytes cannot have been sealed, or not by this key as far as the padding tells */
export function openAesCbc(key: AesKey, sealed: Uint8Array): Buffer {
  if (sealed.length < blockBytes) throw new Error('the stored data was shorter than the required size');
  if (sealed.length % blockBytes !== 0) throw new Error('the stored data is not a multiple of the block size');
  const decipher = createDecipheriv(algorithm(key), key, sealed.subarray(0, blockBytes));
  // The padding is checked here, for the reference's errors.
  decipher.setAutoPadding(false);
  const padded = decipher.update(sealed.subarray(blockBytes));
  return padded.subarray(0, padded.length - paddingBytes(padded));
}

function paddingBytes(padded: Buffer): number {
  const count = padded.at(-1) ?? 0;
  if (count === 0 || count > padded.length) throw new Error('invalid PKCS7 data (empty or not padded)');
  const isRight = padded.subarray(padded.length - count).every((byte) => byte === count);
  if (!isRight) throw new Error('invalid padding on input');
  return count;
}

function algorithm(key: AesKey): string {
  return `aes-${key.length * 8}-cbc`;
}
