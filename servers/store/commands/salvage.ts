import { decodeHead, headLength } from '#servers/store/mvcc/kv-encoding.ts';
import { addToTally, emptyTally, sameTally } from '#servers/store/mvcc/log-state.ts';
import type { LogState } from '#servers/store/mvcc/log-state.ts';
import { rowSum } from '#servers/store/mvcc/row-sum.ts';
import { leafCells } from '#servers/store/pages/leaf-cells.ts';
import type { PageImages } from '#servers/store/pages/page-images.ts';
import { asRow, asState } from '#servers/store/pages/row-record.ts';
import type { StoredRow } from '#servers/store/pages/row-record.ts';
import { IdSet } from './id-set.ts';
import type { StoreFile } from './store-file.ts';

/** The newest intact version of a key. */
interface Found {
  readonly id: number;
  readonly revision: number;
  readonly deleted: boolean;
  readonly lease: string;
}

/**
 * Reads the rows of a log from all pages, without following the B-trees. The newest intact version of each key is
 * written to the target at once, as a store may be larger than memory.
 */
export class Salvage {
  /** The newest intact version of each key. */
  readonly found = new Map<string, Found>();
  /** For each key with damaged values, its newest row with one. */
  readonly damaged = new Map<string, { readonly id: number; readonly revision: number }>();
  readonly state: LogState | undefined;
  /** Revision of the newest intact row. */
  newest = 0;
  readonly #ids = new IdSet();
  #tally = emptyTally;
  readonly #target: StoreFile;

  /** @param acknowledged the newest acknowledged revision */
  constructor(images: PageImages, target: StoreFile, acknowledged: number) {
    this.#target = target;
    this.state = findState(images);
    this.#takeAll(images, images.leaves(), Infinity);
    // An unfinished commit is read only if acknowledged rows are missing: then it was finished once, and lost its last
    // frames later. `difference` is compared too, as its state row may have reached the database already.
    if (acknowledged > Math.max(this.newest, this.state?.revision ?? 0) || this.difference !== undefined)
      this.#takeAll(images, images.unfinishedLeaves(), acknowledged);
  }

  #takeAll(images: PageImages, leaves: Iterable<Buffer>, newestRevision: number): void {
    for (const leaf of leaves) {
      for (const cell of leafCells(leaf, images)) {
        if (!this.#take(asRow(cell, false), newestRevision) && images.hasDoubtful)
          this.#take(asRow(cell, true), newestRevision);
      }
    }
  }

  /**
   * How the rows that were found differ from the written ones, apart from rows of {@link damaged} keys; undefined if
   * they agree, or if that cannot be checked. The count is not enough: removed rows may reappear if the newer version
   * of their page is damaged.
   */
  get difference(): string | undefined {
    const state = this.state;
    if (state === undefined || state.revision < this.newest)
      return 'the row with the newest state of the store is damaged or missing, so how many rows there were is not known';
    if (state.unsealed !== undefined || sameTally(this.#tally, state.rows)) return undefined;
    const missing = state.rows.count - this.#tally.count;
    return missing > 0 ? `${missing} rows are missing` : 'not all rows that were found are those that were written';
  }

  /** @returns whether the row is intact, and not newer than `newestRevision` */
  #take(row: StoredRow | undefined, newestRevision: number): boolean {
    const end = row === undefined ? undefined : endOfHead(row);
    if (
      row === undefined ||
      end === undefined ||
      row.revision > newestRevision ||
      !this.#sumFits(row, row.headSum, row.kv.subarray(0, end))
    )
      return false;
    const { key: bytes, lease } = decodeHead(row.kv, end);
    const key = bytes.toString('latin1');
    if (!this.#sumFits(row, row.sum, row.kv)) {
      // Only the value is damaged, so the row does not count as missing. Another page may hold an intact copy.
      this.#count(row);
      if (row.id > (this.damaged.get(key)?.id ?? 0)) this.damaged.set(key, { id: row.id, revision: row.revision });
      return false;
    }
    this.#count(row);
    this.newest = Math.max(this.newest, row.revision);
    const before = this.found.get(key);
    // Pages are read in any order, and swapped or torn pages may hold the same row twice.
    if (before !== undefined && row.id <= before.id) return true;
    if (before?.deleted === false) this.#target.removeRow(before.id);
    if (!row.deleted) this.#target.addRow(row.id, row.revision, row.kv);
    this.found.set(key, { id: row.id, revision: row.revision, deleted: row.deleted, lease });
    return true;
  }

  #count({ id, sum }: StoredRow): void {
    if (this.#ids.add(id) && sum !== null) this.#tally = addToTally(this.#tally, sum);
  }

  #sumFits({ id, revision, deleted }: StoredRow, sum: number | null, kv: Buffer): boolean {
    if (sum !== null) return sum === rowSum(id, revision, deleted, kv);
    const unsealed = this.state?.unsealed;
    return unsealed !== undefined && id >= unsealed.from && id <= unsealed.to;
  }
}

function endOfHead({ kv }: StoredRow): number | undefined {
  try {
    return headLength(kv);
  } catch {
    return undefined;
  }
}

/** Finds the newest state row: an outdated copy of its page may exist as well. */
function findState(images: PageImages): LogState | undefined {
  let newest: LogState | undefined;
  for (const leaf of images.leaves()) {
    for (const cell of leafCells(leaf, images)) {
      const state = asState(cell);
      if (state !== undefined && state.revision >= (newest?.revision ?? 0)) newest = state;
    }
  }
  return newest;
}
