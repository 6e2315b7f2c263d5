import { storedKeyOf } from './kv-encoding.ts';
import type { MvccStore } from './store.ts';

/** Rows that are read at a time. */
const pageRows = 500;
/** Number of bytes that are read of each row: enough for its key, but for very long ones. */
const headBytes = 512;

/** The keys of all rows after one, but for those with some prefixes, in the order of their first change. */
export class ChangedKeys {
  readonly keys = new Set<string>();
  readonly #store: MvccStore;
  readonly #leftOut: readonly string[];
  #lastId: number;

  constructor(store: MvccStore, afterId: number, leftOut: readonly string[]) {
    this.#store = store;
    this.#lastId = afterId;
    this.#leftOut = leftOut;
  }

  /** Id of the last row that was read from the disk. */
  get lastId(): number {
    return this.#lastId;
  }

  /**
   * Reads some of the rows that are on the disk. False when there are no more.
   * @throws EtcdRpcError when a row is damaged
   */
  readPage(): boolean {
    const store = this.#store;
    if (this.#lastId >= store.durableId) return false;
    const rows = store.read(() => store.reader.heads(this.#lastId + 1, pageRows, headBytes));
    for (const { id, start } of rows) {
      this.#add(storedKeyOf(start) ?? storedKeyOf(store.read(() => store.reader.kv(id)) ?? start));
      this.#lastId = id;
    }
    return rows.length === pageRows;
  }

  /** Adds those of changes that are applied and not on the disk yet. */
  addPending(): void {
    for (const row of this.#store.pendingRows()) this.#add(storedKeyOf(row));
  }

  #add(key: string | undefined): void {
    if (key === undefined || this.#leftOut.some((prefix) => key.startsWith(prefix))) return;
    this.keys.add(key);
  }
}
