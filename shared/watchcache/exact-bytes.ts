import { Buffer } from 'node:buffer';
import type { CacheEntry } from './watch-cache.ts';

/** The most unused bytes that a buffer may keep in memory before it is copied. */
const tolerableWaste = 64;

/**
 * Bytes in memory of their own: otherwise a small Buffer keeps Node's 8 KiB pool in memory, and a received one its
 * whole chunk.
 */
function exactBytes(bytes: Uint8Array): Buffer {
  if (bytes.buffer.byteLength - bytes.length <= tolerableWaste && Buffer.isBuffer(bytes)) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
}

/** The entry as it may be kept; the same instance if its bytes are already its own. */
export function withExactBytes(entry: CacheEntry): CacheEntry {
  const json = exactBytes(entry.json);
  return json === entry.json ? entry : { ...entry, json };
}
