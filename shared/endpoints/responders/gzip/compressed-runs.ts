import { Buffer } from 'node:buffer';
import { constants, crc32, deflateRawSync } from 'node:zlib';
import { ownBytes } from '#shared/apimachinery/bytes/own-bytes.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { budgetedCache } from '#shared/caches/budgeted-cache.ts';
import { isStretch, itemPieces, type ItemForm, type ListBody } from '#shared/endpoints/forms/list-body.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import { crc32Shift } from './crc32-combine.ts';

/**
 * A run of items in DEFLATE blocks. The blocks do not refer to earlier data, and none of them is marked as the last
 * block.
 */
export interface CompressedRun {
  readonly entries: readonly CacheEntry[];
  /** The ages in the items are the same from `fromMs` to before `untilMs`. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly bytes: Buffer;
  /** Length before compression. */
  readonly length: number;
  readonly crc: number;
  readonly crcShift: number;
}

/** Estimated bytes of the object, of its list of entries and of its place in the cache. */
const overheadBytes = 600;

/** Runs by their first entry, then by form. Entries never change, so a run of the same entries has the same bytes. */
const cache = budgetedCache<CacheEntry, Map<string, CompressedRun>>('compressed_runs', (byForm) => {
  let size = overheadBytes;
  for (const run of byForm.values()) size += run.bytes.length + run.entries.length * 8 + overheadBytes;
  return size;
});

/** The compressed run of the entries from `start` to before `end`, if it is cached. */
export function knownRun(
  { formId, clock }: ItemForm,
  entries: readonly CacheEntry[],
  start: number,
  end: number,
): CompressedRun | undefined {
  const known = cache.get(entries[start] as CacheEntry)?.get(formId);
  if (known === undefined || (clock !== undefined && !(known.fromMs <= clock.nowMs && clock.nowMs < known.untilMs)))
    return undefined;
  return isStretch(known.entries, entries, start, end) ? known : undefined;
}

/** Bytes compressed in one step: a shorter run is one piece, a larger object is several. */
const pieceBytes = 256 * 1024;

/** Compresses the items of a run, one after the other, and caches the run. */
export function* compressRun(body: ListBody, start: number, end: number): Steps<CompressedRun> {
  const out: Buffer[] = [];
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let crc = 0;
  let length = 0;
  body.clock?.restart();
  for (const chunk of itemPieces(body, start, end)) {
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      const part = chunk.length <= pieceBytes ? chunk : chunk.subarray(at, at + pieceBytes);
      pending.push(part);
      pendingBytes += part.length;
      if (pendingBytes < pieceBytes) continue;
      const text = Buffer.concat(pending, pendingBytes);
      out.push(deflated(text));
      crc = crc32(text, crc);
      length += pendingBytes;
      pending = [];
      pendingBytes = 0;
      yield;
    }
    if (chunk.length > smallChunk) yield;
  }
  const text = Buffer.concat(pending, pendingBytes);
  if (text.length > 0 || length === 0) out.push(deflated(text));
  crc = crc32(text, crc);
  length += text.length;
  const compressed: CompressedRun = {
    entries: body.entries.slice(start, end),
    fromMs: body.clock?.nowMs ?? 0,
    untilMs: body.clock?.sameUntilMs ?? Number.POSITIVE_INFINITY,
    bytes: ownBytes(Buffer.concat(out)),
    length,
    crc,
    crcShift: crc32Shift(length),
  };
  remember(body.formId, compressed);
  return compressed;
}

/** An item with fewer bytes cost less to make than a check of the clock. */
const smallChunk = 64;

function deflated(text: Buffer): Buffer {
  return deflateRawSync(text, { level: constants.Z_BEST_SPEED, finishFlush: constants.Z_SYNC_FLUSH });
}

function remember(formId: string, compressed: CompressedRun): void {
  const [first] = compressed.entries;
  if (first === undefined) return;
  const byForm = cache.get(first) ?? new Map<string, CompressedRun>();
  byForm.set(formId, compressed);
  cache.delete(first);
  cache.set(first, byForm);
}
