import { Buffer } from 'node:buffer';
import { constants, crc32, deflateRawSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Steps } from '../../../apimachinery/slices.ts';
import type { CacheEntry } from '../../../watchcache/watch-cache.ts';
import type { BodyRun, RunForm } from '../../forms/list-body.ts';
import { crc32Shift } from './crc32-combine.ts';

/** A run in DEFLATE blocks that refer to nothing before it, none of them the last of its stream. */
export interface CompressedRun {
  readonly entries: readonly CacheEntry[];
  readonly stamp: number;
  readonly bytes: Buffer;
  /** Of what was compressed. */
  readonly length: number;
  readonly crc: number;
  readonly crcShift: number;
}

const maxBytes = 16 * 1024 * 1024;
/** Of the object, its entries' list and its place in the cache. */
const overheadBytes = 600;

/** By the first entry, then by form. Entries never change, so a run of the very same entries is the same run. */
const cache = new LRUCache<CacheEntry, Map<string, CompressedRun>>({
  maxSize: maxBytes,
  sizeCalculation: (byForm) => {
    let size = overheadBytes;
    for (const run of byForm.values()) size += run.bytes.length + run.entries.length * 8 + overheadBytes;
    return size;
  },
});

/** The compressed run if it is at hand. */
export function knownRun({ formId, stamp }: RunForm, run: BodyRun): CompressedRun | undefined {
  const first = run.entries[0];
  const known = first === undefined ? undefined : cache.get(first)?.get(formId);
  return known !== undefined && known.stamp === stamp && sameEntries(known.entries, run.entries) ? known : undefined;
}

/** Bytes of a run as it is, without making them where that is known. */
export function runBytes(body: RunForm, run: BodyRun): number {
  const known = knownRun(body, run);
  if (known !== undefined) return known.length;
  let size = 0;
  for (const chunk of run.chunks()) size += chunk.length;
  return size;
}

/** Bytes of a run that are compressed in one step. Longer ones of large objects are made of several pieces. */
const pieceBytes = 256 * 1024;

/** Compresses a run and remembers it. */
export function* compressRun({ formId, stamp }: RunForm, run: BodyRun): Steps<CompressedRun> {
  const text = Buffer.concat(run.chunks());
  const pieces: Buffer[] = [];
  let crc = 0;
  for (let at = 0; at === 0 || at < text.length; at += pieceBytes) {
    if (at > 0) yield;
    const piece = text.subarray(at, at + pieceBytes);
    pieces.push(deflateRawSync(piece, { level: constants.Z_BEST_SPEED, finishFlush: constants.Z_SYNC_FLUSH }));
    crc = crc32(piece, crc);
  }
  // A copy, for what zlib made may stand in a larger buffer.
  const compressed: CompressedRun = { entries: run.entries, stamp, bytes: Buffer.concat(pieces), length: text.length, crc, crcShift: crc32Shift(text.length) };
  const [first] = run.entries;
  if (first !== undefined) {
    const byForm = cache.get(first) ?? new Map<string, CompressedRun>();
    byForm.set(formId, compressed);
    cache.delete(first);
    cache.set(first, byForm);
  }
  return compressed;
}

function sameEntries(a: readonly CacheEntry[], b: readonly CacheEntry[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}
