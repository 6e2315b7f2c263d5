import { JoinedBytes } from '#shared/serializer/protobuf/joined-bytes.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';

/** The bytes of one item, as views of existing buffers, or appended to a common buffer. */
interface ItemBytes {
  readonly item: (entry: CacheEntry) => readonly Uint8Array[];
  readonly append: (entry: CacheEntry, out: JoinedBytes) => void;
}

/** Short items are joined up to about this size. */
const pieceBytes = 64 * 1024;
/** An item whose object has longer JSON is sent by itself, without a copy. */
const longJson = 32 * 1024;

const joined = new JoinedBytes();

/**
 * The items from `start` up to `end` (exclusive), separated by `between`. Short items are written to one common buffer.
 */
export function* joinedItems(
  entries: readonly CacheEntry[],
  start: number,
  end: number,
  between: Uint8Array,
  { item, append }: ItemBytes,
): Generator<Uint8Array, void> {
  for (let at = start; at < end;) {
    const entry = entries[at] as CacheEntry;
    if (entry.json.length > longJson) {
      if (at > start) yield between;
      yield* item(entry);
      at++;
      continue;
    }
    joined.clear();
    for (; at < end && joined.at < pieceBytes && (entries[at] as CacheEntry).json.length <= longJson; at++) {
      if (at > start) joined.append(between);
      append(entries[at] as CacheEntry, joined);
    }
    yield joined.take();
  }
}
