import { randomFillSync, timingSafeEqual } from 'node:crypto';
import { Poly1305 } from '@noble/ciphers/_poly1305.js';
import { xsalsa20 } from '@noble/ciphers/salsa.js';
import { atOnce, inSlices, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';

const nonceBytes = 24;
const tagBytes = 16;
/** Sealed bytes begin with the nonce and the tag. */
const headBytes = nonceBytes + tagBytes;
/** The first bytes of the key stream are the key of the tag; the following ones encrypt. */
const tagKeyBytes = 32;
const blockBytes = 64;
/** What is encrypted between two looks at the time: some 0.2 ms. A multiple of the block. */
const chunkBytes = 16 * 1024;
/** Longer values, which take more than about a millisecond, are encrypted in slices. */
const atOnceBytes = 64 * 1024;

/** XSalsa20-Poly1305 as NaCl's secretbox: a random nonce, the tag, and the encrypted bytes. The key has 32 bytes. */
export function sealSecretbox(key: Uint8Array, plain: Uint8Array): Buffer | Promise<Buffer> {
  return soon(sealInSteps(key, plain), plain.length);
}

/** Throws or rejects if the bytes were sealed by another key or changed since, in the reference's words. */
export function openSecretbox(key: Uint8Array, sealed: Uint8Array): Buffer | Promise<Buffer> {
  if (sealed.length < headBytes) throw new Error('the stored data was shorter than the required size');
  return soon(openInSteps(key, sealed), sealed.length);
}

function soon<T>(steps: Steps<T>, bytes: number): T | Promise<T> {
  return bytes > atOnceBytes ? inSlices(steps) : atOnce(steps);
}

function* sealInSteps(key: Uint8Array, plain: Uint8Array): Steps<Buffer> {
  const sealed = Buffer.allocUnsafe(headBytes + plain.length);
  const nonce = randomFillSync(new Uint8Array(nonceBytes));
  sealed.fill(0, 0, headBytes).set(plain, headBytes);
  const streamed = sealed.subarray(headBytes - tagKeyBytes);
  yield* applyKeyStream(key, nonce, streamed);
  const tag = yield* tagInSteps(streamed.subarray(0, tagKeyBytes), sealed.subarray(headBytes));
  sealed.set(nonce);
  sealed.set(tag, nonceBytes);
  return sealed;
}

function* openInSteps(key: Uint8Array, sealed: Uint8Array): Steps<Buffer> {
  const head = Uint8Array.from(sealed.subarray(0, headBytes));
  const nonce = head.subarray(0, nonceBytes);
  // Caches keep it, so it is no part of a pool that it would keep alive.
  const opened = Buffer.allocUnsafeSlow(tagKeyBytes + sealed.length - headBytes);
  opened.set(sealed.subarray(headBytes), tagKeyBytes);
  const tagKey = xsalsa20(key, nonce, new Uint8Array(tagKeyBytes));
  const tag = yield* tagInSteps(tagKey, opened.subarray(tagKeyBytes));
  if (!timingSafeEqual(tag, head.subarray(nonceBytes)))
    throw new Error('output array was not large enough for encryption');
  yield* applyKeyStream(key, nonce, opened);
  return opened.subarray(tagKeyBytes);
}

/** Changes the bytes in their place; they begin with room for the key of the tag. */
function* applyKeyStream(key: Uint8Array, nonce: Uint8Array, bytes: Uint8Array): Steps<void> {
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const chunk = bytes.subarray(at, at + chunkBytes);
    xsalsa20(key, nonce, chunk, chunk, at / blockBytes);
    if (sliceIsOver()) yield;
  }
}

function* tagInSteps(tagKey: Uint8Array, encrypted: Uint8Array): Steps<Uint8Array> {
  const mac = new Poly1305(tagKey);
  for (let at = 0; at < encrypted.length; at += chunkBytes) {
    mac.update(encrypted.subarray(at, at + chunkBytes));
    if (sliceIsOver()) yield;
  }
  return mac.digest();
}
