import type { KeyEntry, VersionRef } from './key-entry.ts';
import type { KeyIndex } from './key-index.ts';
import type { KeyRange } from './key-range.ts';
import { encodeKeyValue } from './kv-encoding.ts';
import type { LogRow } from './log-reader.ts';

/** One change of one key, with the fields that watches need. */
export interface AppliedChange extends LogRow {
  readonly entry: KeyEntry;
  /** Whether this is a put of a key that did not exist. */
  readonly created: boolean;
  /** The version before the change; undefined if there was none. */
  readonly previous: { readonly id: number; readonly bytes: Buffer | undefined } | undefined;
}

interface Saved {
  readonly entry: KeyEntry;
  readonly id: number;
  readonly modRevision: number;
  readonly createRevision: number;
  readonly version: number;
  readonly lease: string;
  readonly bytes: Buffer | undefined;
}

/** The parts of the store that a transaction uses. */
export interface TxnHost {
  readonly index: KeyIndex;
  bytes(ref: VersionRef): Buffer | undefined;
}

const nothing = Buffer.alloc(0);

/** Changes the index, and can undo that. A key is changed at most once, which the validation of requests ensures. */
export class WriteTxn {
  readonly changes: AppliedChange[] = [];
  readonly #host: TxnHost;
  readonly #onLeaseOfKey: (key: string, from: string, to: string) => void;
  readonly #saved: Saved[] = [];
  #revision: number;
  #beginsRevision = false;
  #nextId: number;

  constructor(
    host: TxnHost,
    revision: number,
    nextId: number,
    onLeaseOfKey: (key: string, from: string, to: string) => void,
  ) {
    this.#host = host;
    this.#revision = revision;
    this.#nextId = nextId;
    this.#onLeaseOfKey = onLeaseOfKey;
  }

  /** The revision of the newest change. */
  get revision(): number {
    return this.#revision;
  }

  /**
   * Gives the changes that follow a revision of their own. They still become durable, and are undone, with the others.
   */
  beginRevision(): void {
    this.#beginsRevision = this.changes.length > 0;
  }

  put(key: string, value: Uint8Array, lease: string): void {
    const entry = this.#host.index.obtain(key);
    const alive = entry.createRevision !== 0;
    this.#advance();
    const createRevision = alive ? entry.createRevision : this.revision;
    const version = alive ? entry.version + 1 : 1;
    this.#change(entry, createRevision, version, lease, value);
  }

  /** Deletes the live keys of a range; returns their number. */
  deleteRange(range: KeyRange): number {
    const alive: KeyEntry[] = [];
    this.#host.index.forEach(range, (entry) => {
      if (entry.createRevision !== 0) alive.push(entry);
    });
    if (alive.length > 0) this.#advance();
    for (const entry of alive) this.#change(entry, 0, 0, '0', nothing);
    return alive.length;
  }

  /** Restores the earlier state of the index, newest change first. */
  undo(): void {
    for (const saved of this.#saved.toReversed()) {
      const entry = saved.entry;
      if (saved.lease !== entry.lease) this.#onLeaseOfKey(entry.key, entry.lease, saved.lease);
      if (saved.id === 0) {
        this.#host.index.remove(entry.key);
        continue;
      }
      // A compaction may have removed a deletion from the history meanwhile.
      if (entry.history?.at(-3) === saved.id) {
        entry.history.length -= 3;
        if (entry.history.length === 0) entry.history = undefined;
      }
      entry.id = saved.id;
      entry.modRevision = saved.modRevision;
      entry.createRevision = saved.createRevision;
      entry.version = saved.version;
      entry.lease = saved.lease;
      entry.bytes = saved.bytes;
    }
  }

  #advance(): void {
    if (this.#beginsRevision) this.#revision++;
    this.#beginsRevision = false;
  }

  #change(entry: KeyEntry, createRevision: number, version: number, lease: string, value: Uint8Array): void {
    const alive = entry.createRevision !== 0;
    const previous = alive ? { id: entry.id, bytes: entry.bytes } : undefined;
    this.#saved.push({
      entry,
      id: entry.id,
      modRevision: entry.modRevision,
      createRevision: entry.createRevision,
      version: entry.version,
      lease: entry.lease,
      bytes: entry.bytes,
    });
    if (entry.lease !== lease) this.#onLeaseOfKey(entry.key, entry.lease, lease);
    entry.pushHistory();
    entry.id = this.#nextId++;
    entry.modRevision = this.revision;
    entry.createRevision = createRevision;
    entry.version = version;
    entry.lease = lease;
    const kv = encodeKeyValue(entry, value);
    // The transaction can read its own puts; a deletion has nothing to read.
    entry.bytes = createRevision === 0 ? undefined : kv;
    this.changes.push({
      id: entry.id,
      revision: this.revision,
      deleted: createRevision === 0,
      kv,
      entry,
      created: createRevision === this.revision,
      previous,
    });
  }
}
