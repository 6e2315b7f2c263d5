import type { MvccStore } from './store.ts';

/** A moment of the store that it can be rolled back to. Belongs to the store that set it. */
export interface StoreMark {
  /** The newest revision then. */
  readonly revision: number;
  /** Keys that begin so are left as they are. */
  readonly keptPrefixes: readonly string[];
}

/** The marks of a running store. Compactions leave what they need: none goes beyond the oldest mark. */
export class Marks {
  readonly #store: MvccStore;
  /** By mark the last row after which all keys had their values of then. */
  readonly #restored = new Map<StoreMark, number>();

  constructor(store: MvccStore) {
    this.#store = store;
  }

  /** Marks the durable state, with all that was acknowledged. */
  set(keptPrefixes: readonly string[]): StoreMark {
    const mark: StoreMark = { revision: this.#store.revision, keptPrefixes };
    this.#restored.set(mark, this.#store.durableId);
    return mark;
  }

  /** Ends the hold on compactions; the mark can no longer be rolled back to. */
  release(mark: StoreMark): void {
    this.#restored.delete(mark);
  }

  /** Id of the row after which a rollback has to look for changes; undefined if there is no such mark. */
  changedAfter(mark: StoreMark): number | undefined {
    return this.#restored.get(mark);
  }

  /** Notes that after this row all keys had their values of the mark again. */
  restored(mark: StoreMark, id: number): void {
    if ((this.#restored.get(mark) ?? id) < id) this.#restored.set(mark, id);
  }

  /** The largest revision up to `wanted` that may be compacted. */
  compactable(wanted: number): number {
    let revision = wanted;
    for (const mark of this.#restored.keys()) revision = Math.min(revision, mark.revision);
    return revision;
  }
}
