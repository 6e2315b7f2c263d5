import { createCipheriv, createDecipheriv, randomFillSync, type CipherGCMTypes } from 'node:crypto';

/** AES keys have 16, 24 or 32 bytes. */
export type AesKey = Buffer;

const nonceBytes = 12;
const tagBytes = 16;
const failedText = 'cipher: message authentication failed';

/** @throws Error for a key of another length, in Go's words */
export function aesKey(bytes: Uint8Array): AesKey {
  if (![16, 24, 32].includes(bytes.length)) throw new Error(`crypto/aes: invalid key size ${bytes.length}`);
  return Buffer.from(bytes);
}

/** A random nonce, the encrypted bytes, and the tag; `authenticated` must be the same when it is opened. */
export function sealAesGcm(key: AesKey, plain: Uint8Array, authenticated: string): Buffer {
  const sealed = Buffer.allocUnsafe(nonceBytes + plain.length + tagBytes);
  randomFillSync(sealed, 0, nonceBytes);
  const cipher = createCipheriv(algorithm(key), key, sealed.subarray(0, nonceBytes));
  cipher.setAAD(Buffer.from(authenticated));
  sealed.set(cipher.update(plain), nonceBytes);
  cipher.final();
  sealed.set(cipher.getAuthTag(), nonceBytes + plain.length);
  return sealed;
}

/** @throws Error if the bytes were sealed by another key, for other authenticated bytes, or changed since */
export function openAesGcm(key: AesKey, sealed: Uint8Array, authenticated: string): Buffer {
  if (sealed.length < nonceBytes) throw new Error('the stored data was shorter than the required size');
  if (sealed.length < nonceBytes + tagBytes) throw new Error(failedText);
  const end = sealed.length - tagBytes;
  const decipher = createDecipheriv(algorithm(key), key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(authenticated));
  decipher.setAuthTag(sealed.subarray(end));
  const plain = decipher.update(sealed.subarray(nonceBytes, end));
  try {
    decipher.final();
  } catch {
    throw new Error(failedText);
  }
  return plain;
}

function algorithm(key: AesKey): CipherGCMTypes {
  return `aes-${(key.length * 8) as 128 | 192 | 256}-gcm`;
}
