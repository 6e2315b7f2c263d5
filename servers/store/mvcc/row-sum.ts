import { crc32 } from 'node:zlib';
import { headLength } from './kv-encoding.ts';

/** Checksums of a row of the log: CRC-32 by zlib's native code. */
export interface RowSums {
  /** Checksum over id, revision, kind and the stored form without its value: all that the index is built from. */
  readonly head: number;
  /** The checksum of the whole row: that of the head continued over the value. */
  readonly whole: number;
}

/** Length of the checksum's prefix: id and revision as float64, then one byte that is 1 for a deletion. */
const prefixBytes = 17;
const scratch = Buffer.alloc(prefixBytes);

export function rowSums(id: number, revision: number, deleted: boolean, kv: Uint8Array): RowSums {
  const end = headLength(Buffer.from(kv.buffer, kv.byteOffset, kv.byteLength)) ?? kv.length;
  const head = crc32(kv.subarray(0, end), prefixSum(id, revision, deleted));
  return { head, whole: end === kv.length ? head : crc32(kv.subarray(end), head) };
}

/** The checksum over a whole stored form, or over its head if `kv` ends before the value. */
export function rowSum(id: number, revision: number, deleted: boolean, kv: Uint8Array): number {
  return crc32(kv, prefixSum(id, revision, deleted));
}

function prefixSum(id: number, revision: number, deleted: boolean): number {
  scratch.writeDoubleLE(id, 0);
  scratch.writeDoubleLE(revision, 8);
  scratch[16] = deleted ? 1 : 0;
  return crc32(scratch);
}
