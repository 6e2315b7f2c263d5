import type { Compare } from '#shared/storage/etcd-wire/kv-messages.ts';
import type { VersionRef } from './key-entry.ts';
import { KeyEntry } from './key-entry.ts';
import { keyRange } from './key-range.ts';
import { decodeKeyValue } from './kv-encoding.ts';
import type { MvccStore } from './store.ts';

/**
 * Whether a comparison holds at a revision for every key of its range. If there is none, it is made with version, lease
 * and revisions 0.
 */
export function comparisonHolds(store: MvccStore, compare: Compare, revision: number): boolean {
  const refs: VersionRef[] = [];
  if ((compare.rangeEnd?.length ?? 0) === 0) {
    const ref = store.index.get(keyRange(compare.key, undefined).start)?.at(revision);
    if (ref !== undefined) refs.push(ref);
  } else {
    store.index.forEach(keyRange(compare.key, compare.rangeEnd), (entry) => {
      const ref = entry.at(revision);
      if (ref !== undefined) refs.push(ref);
    });
  }
  // A missing key has no value to compare with, not even an empty one.
  if (refs.length === 0) return compare.target !== 'VALUE' && agrees(compare, difference(store, compare, undefined));
  return refs.every((ref) => agrees(compare, difference(store, compare, ref)));
}

/** Compares the stored field with that of the request: negative, zero or positive. */
function difference(store: MvccStore, compare: Compare, ref: VersionRef | undefined): number {
  switch (compare.target) {
    case 'CREATE':
      return (ref?.createRevision ?? 0) - (compare.createRevision ?? 0);
    case 'MOD':
      return (ref?.modRevision ?? 0) - (compare.modRevision ?? 0);
    case 'VALUE':
      return Buffer.compare(content(store, ref as VersionRef).value, compare.value ?? Buffer.alloc(0));
    case 'LEASE': {
      const lease = BigInt(ref === undefined ? '0' : ref instanceof KeyEntry ? ref.lease : content(store, ref).lease);
      const asked = BigInt(compare.lease ?? '0');
      return lease < asked ? -1 : lease > asked ? 1 : 0;
    }
    default:
      return (
        (ref === undefined ? 0 : ref instanceof KeyEntry ? ref.version : content(store, ref).version) -
        (compare.version ?? 0)
      );
  }
}

function content(store: MvccStore, ref: VersionRef): ReturnType<typeof decodeKeyValue> {
  const bytes = store.bytes(ref);
  if (bytes === undefined) throw new Error(`row ${ref.id} of the log is missing`);
  return decodeKeyValue(bytes);
}

function agrees(compare: Compare, difference: number): boolean {
  switch (compare.result) {
    case 'GREATER':
      return difference > 0;
    case 'LESS':
      return difference < 0;
    case 'NOT_EQUAL':
      return difference !== 0;
    default:
      return difference === 0;
  }
}
