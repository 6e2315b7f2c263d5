import { LRUCache } from 'lru-cache';
import { timeToMs } from '../../apimachinery/time.ts';
import type { CacheEntry } from '../../watchcache/watch-cache.ts';

interface Row {
  readonly bytes: Buffer;
  readonly formId: string;
  readonly validUntilMs: number;
}

const maxBytes = 16 * 1024 * 1024;
const rows = new LRUCache<CacheEntry, Row>({ maxSize: maxBytes, sizeCalculation: (row) => row.bytes.length + 200 });

const secondsShown = 10 * 60_000;
const minutesShown = 3 * 3_600_000;

/**
 * A printed row, kept as long as its ages read the same: they show seconds for ten minutes, then minutes, then hours. The
 * age in a row may so be late by the times below, which no reader of `5m` can tell.
 */
export function rememberRow(entry: CacheEntry, formId: string, make: () => Buffer): Buffer {
  const nowMs = Date.now();
  const known = rows.get(entry);
  if (known !== undefined && known.validUntilMs > nowMs && known.formId === formId) return known.bytes;
  const bytes = make();
  rows.set(entry, { bytes, formId, validUntilMs: nowMs + lifetimeMs(entry, nowMs) });
  return bytes;
}

function lifetimeMs(entry: CacheEntry, nowMs: number): number {
  const age = nowMs - createdMs(entry);
  if (age < secondsShown) return 1000 - (nowMs % 1000);
  return age < minutesShown ? 5_000 : 30_000;
}

const createdKey = Buffer.from('"creationTimestamp":"');
const timeLength = 20;

/** Read off the bytes: the first such key of a canonical object is that of its metadata. */
function createdMs(entry: CacheEntry): number {
  const at = entry.json.indexOf(createdKey);
  if (at < 0) return Date.now();
  const start = at + createdKey.length;
  return timeToMs(entry.json.toString('latin1', start, start + timeLength)) ?? Date.now();
}
