/**
 * A half-open range of keys. Keys are Latin-1 strings with one character for each byte, so they compare like bytes.
 * `end` null: no upper bound.
 */
export interface KeyRange {
  readonly start: string;
  readonly end: string | null;
}

export function keyText(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1');
}

export function keyBytes(key: string): Buffer {
  return Buffer.from(key, 'latin1');
}

/**
 * The range for etcd's `key` and `range_end`: without an end it is the single key; with a zero byte as the end it is
 * all keys from `key` on.
 */
export function keyRange(key: Uint8Array, rangeEnd: Uint8Array | undefined): KeyRange {
  const start = keyText(key);
  if (rangeEnd === undefined || rangeEnd.length === 0) return { start, end: `${start}\0` };
  if (rangeEnd.length === 1 && rangeEnd[0] === 0) return { start, end: null };
  return { start, end: keyText(rangeEnd) };
}

export function inRange(range: KeyRange, key: string): boolean {
  return key >= range.start && (range.end === null || key < range.end);
}
