import { Buffer } from 'node:buffer';

/** The most unused bytes that a buffer may keep in memory before it is copied. */
const tolerableWaste = 64;

/**
 * The bytes in memory of their own, for those that are kept: a small Buffer is a part of Node's pool, of which it keeps
 * all 64 KiB in memory, and a received one keeps the whole chunk. Returns the same instance if nothing is wasted.
 */
export function ownBytes(bytes: Uint8Array): Buffer {
  if (bytes.buffer.byteLength - bytes.length <= tolerableWaste && Buffer.isBuffer(bytes)) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
}
