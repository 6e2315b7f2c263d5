import { ChangedKeys } from './changed-keys.ts';
import type { StoreMark, Marks } from './marks.ts';
import { otherWork, readStoredVersion, type StoredVersion } from './read-stored-version.ts';
import type { MvccStore } from './store.ts';

/** Values that are read at a time. */
const pageValues = 200;

/** The parts of a store that a rollback uses. */
export interface RollBackParts {
  readonly store: MvccStore;
  readonly marks: Marks;
  /** Whether a lease still runs: a key whose lease has ended stays away. */
  readonly hasLease: (id: string) => boolean;
}

/**
 * Gives each key that changed since the mark its value of then again, under its lease of then, all in one commit. Each
 * has a revision of its own: a client that has seen a part of a watch goes on from the revision of the last object
 * that it saw, and would miss others of the same revision. It costs by the changes since the mark, or since the last
 * rollback to it. What others write meanwhile is undone too if it comes before that commit, and stays if it comes
 * after. Resolves with the number of keys that it wrote or
 * deleted, when that is durable.
 * @throws Error when the mark was released or is another store's
 * @throws EtcdRpcError when the store refuses writes or a row is damaged; nothing is changed then
 */
export async function rollBack({ store, marks, hasLease }: RollBackParts, mark: StoreMark): Promise<number> {
  const from = marks.changedAfter(mark);
  if (from === undefined) throw new Error('the mark was released, or is one of another store');
  const changed = new ChangedKeys(store, from, mark.keptPrefixes);
  while (changed.readPage()) await otherWork();
  // Read in advance, so that the revision itself is made without reads from the disk.
  const earlier = new Map<number, StoredVersion>();
  for (const key of changed.keys) {
    const ref = store.index.get(key)?.at(mark.revision);
    if (ref === undefined) continue;
    earlier.set(ref.id, readStoredVersion(store, ref));
    if (earlier.size % pageValues === 0) await otherWork();
  }
  const { count, lastId } = await store.write((txn) => {
    while (changed.readPage());
    changed.addPending();
    for (const key of changed.keys) {
      const entry = store.index.get(key);
      const ref = entry?.at(mark.revision);
      // Its change was undone for want of room.
      if (ref !== undefined && ref === entry) continue;
      txn.beginRevision();
      const then = ref === undefined ? undefined : (earlier.get(ref.id) ?? readStoredVersion(store, ref));
      if (then !== undefined && (then.lease === '0' || hasLease(then.lease))) txn.put(key, then.value, then.lease);
      else txn.deleteRange({ start: key, end: `${key}\0` });
    }
    return { count: txn.changes.length, lastId: txn.changes.at(-1)?.id ?? changed.lastId };
  });
  marks.restored(mark, lastId);
  return count;
}
