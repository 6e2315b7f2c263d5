import type { StoredKeyValue, StorageListOptions, ListResult } from '#shared/storage/storage.ts';
import type { EtcdCalls } from './calls.ts';
import { keyAfter, prefixEnd } from './keys.ts';
import type { KeySpace } from './keys.ts';

/** Most keys of one Range call; the same as the reference's upper bound of a page. */
const maxPageKeys = 10_000;

/** Keys under a prefix at one revision, in pages: the first page fixes the revision for the others. */
export async function listRange(
  calls: EtcdCalls,
  keys: KeySpace,
  prefix: string,
  options: StorageListOptions,
): Promise<ListResult> {
  const limit = options.limit ?? 0;
  const rangeEnd = prefixEnd(keys.encode(prefix));
  if (options.onlyCount === true) {
    const key = keys.encode(options.startKey ?? prefix);
    const counted = await calls.read('KV/Range', { key, rangeEnd, countOnly: true, revision: options.revision ?? 0 });
    return { items: [], revision: counted.header?.revision ?? 0, count: counted.count, more: counted.count > 0 };
  }
  const keysOnly = options.onlyKeys === true;
  const items: StoredKeyValue[] = [];
  let startKey = options.startKey ?? prefix;
  let revision = options.revision ?? 0;
  let count = -1;
  for (;;) {
    const wanted = limit === 0 ? maxPageKeys : Math.min(maxPageKeys, limit - items.length);
    const key = keys.encode(startKey);
    const page = await calls.read('KV/Range', { key, rangeEnd, limit: wanted, revision, keysOnly });
    if (revision === 0) revision = page.header?.revision ?? 0;
    if (count < 0) count = page.count;
    for (const kv of page.kvs) items.push(keys.keyValue(kv));
    const last = items.at(-1);
    const done = !page.more || last === undefined || (limit > 0 && items.length >= limit);
    if (done) return { items, revision, count, more: page.more };
    startKey = keyAfter(last.key);
  }
}
