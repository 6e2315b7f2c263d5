import type { CacheChange } from './cache-change.ts';
import type { ChangeRing } from './change-ring.ts';
import { EntryIndex } from './entry-index.ts';
import type { IndexSnapshot } from './entry-index.ts';

const maxKept = 16;

/**
 * States of the past, for lists that continue at a revision. A few snapshots that were given out are kept; any other
 * revision within the ring's memory is made by taking changes back from the next newer state.
 */
export class SnapshotHistory {
  /** Oldest use first. */
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

  /** Snapshots hold on to what was replaced since: they go with the ring's memory of it. */
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
