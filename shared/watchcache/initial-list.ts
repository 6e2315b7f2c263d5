import type { Storage } from '../storage/storage.ts';
import { EntryIndex } from './entry-index.ts';
import type { CacheEntry, EntryDecoder } from './watch-cache.ts';
import { withExactBytes } from './exact-bytes.ts';

/** Raw values of so many keys are in memory at a time. */
const pageKeys = 1_000;
/** Decoding lets others run after this time. */
const sliceMs = 5;

export interface LoadedState {
  readonly index: EntryIndex;
  readonly revision: number;
}

/** Reads all objects below a prefix at one revision, 0 being the newest. What cannot be decoded is reported and left out. */
export async function loadState(
  storage: Storage, prefix: string, at: number, decode: EntryDecoder, onUndecodable: (key: string, error: unknown) => void,
): Promise<LoadedState> {
  const index = new EntryIndex();
  let revision = at;
  let startKey = prefix;
  for (;;) {
    const page = await storage.list(prefix, { limit: pageKeys, startKey, revision });
    revision = page.revision;
    let sliceEnd = performance.now() + sliceMs;
    for (const kv of page.items) {
      const entry = decodeOrReport(() => decode(kv), kv.key, onUndecodable);
      if (entry !== undefined) index.put(withExactBytes(entry));
      if (performance.now() < sliceEnd) continue;
      await new Promise((resolve) => setImmediate(resolve));
      sliceEnd = performance.now() + sliceMs;
    }
    const last = page.items.at(-1);
    if (!page.more || last === undefined) return { index, revision };
    startKey = `${last.key}\0`;
  }
}

export function decodeOrReport(decode: () => CacheEntry, key: string, report: (key: string, error: unknown) => void): CacheEntry | undefined {
  try {
    return decode();
  } catch (error) {
    report(key, error);
    return undefined;
  }
}
