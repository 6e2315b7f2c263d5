import type { CacheChange } from './cache-change.ts';
import type { ChangeRing } from './change-ring.ts';
import { EntryIndex } from './entry-index.ts';
import type { IndexSnapshot } from './entry-index.ts';

const maxKept = 16;

/**
 * Past states, for lists that continue at a revision. Keeps a few snapshots that were used. The state at any other
 * revision within the ring is made by undoing changes of the next newer state.
 */
export class SnapshotHistory {
  /** Least recently used first. */
  readonly #kept = new Map<number, IndexSnapshot>();

  keep(snapshot: IndexSnapshot): void {
    this.#kept.delete(snapshot.revision);
    this.#kept.set(snapshot.revision, snapshot);
    if (this.#kept.size <= maxKept) return;
    for (const oldest of this.#kept.keys()) {
      this.#kept.delete(oldest);
      break;
    }
  }

  /** The state at `revision`, which is below `newest.revision`. */
  at(revision: number, newest: IndexSnapshot, ring: ChangeRing): IndexSnapshot | undefined {
    if (revision < ring.baseRevision) return undefined;
    let nearest = this.#kept.get(revision);
    if (nearest === undefined) nearest = takeBack(revision, this.#nextNewer(revision) ?? newest, ring);
    if (nearest !== undefined) this.keep(nearest);
    return nearest;
  }

  /**
   * Drops older snapshots: they keep replaced states in memory, so they are dropped together with those changes in the
   * ring.
   */
  dropBefore(revision: number): void {
    for (const kept of this.#kept.keys()) if (kept < revision) this.#kept.delete(kept);
  }

  clear(): void {
    this.#kept.clear();
  }

  #nextNewer(revision: number): IndexSnapshot | undefined {
    let nearest: IndexSnapshot | undefined;
    for (const snapshot of this.#kept.values()) {
      if (snapshot.revision > revision && snapshot.revision < (nearest?.revision ?? Infinity)) nearest = snapshot;
    }
    return nearest;
  }
}

function takeBack(revision: number, newer: IndexSnapshot, ring: ChangeRing): IndexSnapshot | undefined {
  const from = ring.positionAfter(revision);
  const to = ring.positionAfter(newer.revision);
  if (from === undefined || to === undefined) return undefined;
  const index = EntryIndex.from(newer);
  for (let position = to - 1; position >= from; position--) {
    const change = ring.at(position) as CacheChange;
    if (change.previous === undefined) index.delete(change.key);
    else index.put(change.previous);
  }
  return index.snapshot(revision);
}
