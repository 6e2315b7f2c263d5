import { randomFillSync } from 'node:crypto';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';

const nonceBytes = 24;
const tagBytes = 16;

/** XSalsa20-Poly1305 as NaCl's secretbox: a random nonce, the tag, and the encrypted bytes. The key has 32 bytes. */
export function sealSecretbox(key: Uint8Array, plain: Uint8Array): Buffer {
  const nonce = randomFillSync(Buffer.allocUnsafe(nonceBytes));
  return Buffer.concat([nonce, xsalsa20poly1305(key, nonce).encrypt(plain)]);
}

/** @throws Error if the bytes were sealed by another key or changed since, in the reference's words */
export function openSecretbox(key: Uint8Array, sealed: Uint8Array): Uint8Array {
  if (sealed.length < nonceBytes + tagBytes) throw new Error('the stored data was shorter than the required size');
  try {
    return xsalsa20poly1305(key, sealed.subarray(0, nonceBytes)).decrypt(sealed.subarray(nonceBytes));
  } catch {
    throw new Error('output array was not large enough for encryption');
  }
}
