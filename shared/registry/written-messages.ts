import type { Buffer } from 'node:buffer';
import { budgetedCache } from '#shared/caches/budgeted-cache.ts';
import { storedMessageAt } from '#shared/serializer/protobuf/resource-version.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';

/** What a small message keeps in memory besides itself: its part of Node's pool of 64 KiB, which few of them share. */
const pooledBytes = 16 * 1024;

/**
 * The stored bytes of the newest writes of this process. Most of them are wanted as protobuf at once, by the writer and
 * by watches, and hold that message already but for its resourceVersion.
 */
const written = budgetedCache<CacheEntry, Buffer>(
  'written_messages',
  (stored) => stored.length + (stored.length < stored.buffer.byteLength ? pooledBytes : 0),
);

/** Keeps the protobuf that an entry was stored as. It must hold what the JSON of the entry prints. */
export function keepWritten(entry: CacheEntry, stored: Buffer): void {
  written.set(entry, stored);
}

/** The message of an entry, with its resourceVersion; undefined where what was stored is not known any more. */
export function writtenMessage(entry: CacheEntry): Buffer | undefined {
  const stored = written.get(entry);
  return stored === undefined ? undefined : storedMessageAt(stored, entry.revision);
}

/** Drops the message of an object version that was replaced. */
export function forgetWritten(entry: CacheEntry): void {
  written.delete(entry);
}
