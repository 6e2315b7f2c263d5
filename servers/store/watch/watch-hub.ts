import { inRange } from '#servers/store/mvcc/key-range.ts';
import { keyText } from '#servers/store/mvcc/key-range.ts';
import { decodeHead, headLength } from '#servers/store/mvcc/kv-encoding.ts';
import { LogDamagedError } from '#servers/store/mvcc/log-damage.ts';
import type { LogRow } from '#servers/store/mvcc/log-reader.ts';
import type { MvccStore } from '#servers/store/mvcc/store.ts';
import type { AppliedChange } from '#servers/store/mvcc/write-txn.ts';
import { RangeGroups } from './range-groups.ts';
import { RecentRows, type KeyedRow } from './recent-rows.ts';
import { ChangeEvent } from './watch-event.ts';
import type { Watcher } from './watcher.ts';

/** Rows and bytes of the log that are read at a time for lagging watchers. */
const pageRows = 500;
const pageBytes = 2 * 1024 * 1024;

/** Rows of the log, which contain only complete revisions. */
interface LogPage {
  readonly rows: readonly KeyedRow[];
  /** The last revision that the page covers. */
  readonly revision: number;
}

/** All watchers of the store. */
export class WatchHub {
  readonly #store: MvccStore;
  readonly #synced = new RangeGroups();
  readonly #lagging = new Set<Watcher>();
  readonly #recent: RecentRows;
  readonly #progressTimer: NodeJS.Timeout;
  #catchingUp = false;
  #closed = false;

  /** @param progressIntervalMs interval of progress notifications; etcd's is 10 minutes */
  constructor(store: MvccStore, progressIntervalMs = 600_000) {
    this.#store = store;
    // Nothing was written in a new store, whose revision is 1.
    this.#recent = new RecentRows(store.durableId === 0 ? 0 : store.revision);
    this.#progressTimer = setInterval(() => this.#notifyProgress(), progressIntervalMs);
    this.#progressTimer.unref();
  }

  add(watcher: Watcher): void {
    if (watcher.nextRevision > this.#store.revision) this.#sync(watcher);
    else this.#lag(watcher);
  }

  remove(watcher: Watcher): void {
    if (watcher.synced) this.#synced.remove(watcher);
    this.#lagging.delete(watcher);
  }

  /** Sends durable changes to the synced watchers. */
  publish(changes: readonly AppliedChange[]): void {
    const touched: Watcher[] = [];
    for (const change of changes) {
      const event = this.#liveEvent(change);
      this.#recent.add(event.key, change);
      this.#synced.forEach(event.key, (watcher) => {
        if (!watcher.wants(event)) return;
        if (watcher.batch.push(event) === 1) touched.push(watcher);
      });
    }
    for (const watcher of touched) this.#deliver(watcher, this.#store.revision);
  }

  /** Called when a slow stream accepts messages again. */
  wake(): void {
    if (this.#lagging.size > 0) this.#catchUpSoon();
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#progressTimer);
  }

  #liveEvent({ entry, revision, deleted, kv, previous }: AppliedChange): ChangeEvent {
    return new ChangeEvent(entry.key, revision, deleted, kv, () =>
      previous === undefined ? undefined : (previous.bytes ?? this.#store.bytesById(previous.id, entry.key)),
    );
  }

  #loggedEvent(key: string, row: LogRow): ChangeEvent {
    return new ChangeEvent(key, row.revision, row.deleted, row.kv, () => {
      // As in a Range at the previous revision: no value if that is compacted.
      if (row.revision - 1 < this.#store.compactRevision) return undefined;
      const ref = this.#store.index.get(key)?.before(row.revision);
      return ref === undefined ? undefined : this.#store.bytes(ref);
    });
  }

  #deliver(watcher: Watcher, revision: number): void {
    const events = watcher.batch;
    watcher.batch = [];
    if (watcher.outlet.ready) {
      this.#hand(watcher, events, revision);
      return;
    }
    // No events are buffered for a slow peer: the watcher reads the log when the peer is ready again.
    watcher.nextRevision = Math.max(watcher.nextRevision, (events[0] as ChangeEvent).revision);
    this.#synced.remove(watcher);
    this.#lag(watcher);
  }

  #sync(watcher: Watcher): void {
    watcher.synced = true;
    this.#synced.add(watcher);
    this.#lagging.delete(watcher);
  }

  #lag(watcher: Watcher): void {
    watcher.synced = false;
    this.#lagging.add(watcher);
    if (watcher.outlet.ready) this.#catchUpSoon();
  }

  #catchUpSoon(): void {
    if (this.#catchingUp || this.#closed) return;
    this.#catchingUp = true;
    setImmediate(() => {
      this.#catchingUp = false;
      if (!this.#closed) this.#catchUp();
    });
  }

  /**
   * Takes the recent rows, or reads one page of the log, for the watcher that lags most, and delivers them to all
   * watchers that need a part of them.
   */
  #catchUp(): void {
    const ready = [...this.#lagging].filter((watcher) => !this.#dropCompacted(watcher) && watcher.outlet.ready);
    if (ready.length === 0) return;
    const from = ready.reduce((least, watcher) => Math.min(least, watcher.nextRevision), Infinity);
    let page: LogPage;
    try {
      page = this.#recentPage(from) ?? this.#store.read(() => this.#readPage(from));
    } catch (error) {
      // Watchers that need the damaged rows fail; the others continue.
      for (const watcher of ready) if (watcher.nextRevision === from) this.#fail(watcher, error as Error);
      if (this.#lagging.size > 0) this.#catchUpSoon();
      return;
    }
    const members = ready.filter((watcher) => watcher.nextRevision <= page.revision);
    for (const { key, row } of page.rows) {
      let event: ChangeEvent | undefined;
      for (const watcher of members) {
        if (!inRange(watcher.range, key)) continue;
        event ??= this.#loggedEvent(key, row);
        if (watcher.wants(event)) watcher.batch.push(event);
      }
    }
    for (const watcher of members) this.#advance(watcher, page.revision);
    if (this.#lagging.size > 0) this.#catchUpSoon();
  }

  #advance(watcher: Watcher, revision: number): void {
    const events = watcher.batch;
    watcher.batch = [];
    watcher.nextRevision = revision + 1;
    if (events.length > 0 && !this.#hand(watcher, events, revision)) return;
    if (revision < this.#store.revision) return;
    this.#sync(watcher);
    watcher.outlet.synced();
  }

  /** Delivers events. @returns false if the watcher failed, as the previous value of a change is damaged */
  #hand(watcher: Watcher, events: readonly ChangeEvent[], revision: number): boolean {
    watcher.active = true;
    try {
      watcher.outlet.deliver(watcher, events, revision);
      return true;
    } catch (error) {
      this.#fail(watcher, error as Error);
      return false;
    }
  }

  /** Ends a watch whose events cannot be read; it must not skip them. */
  #fail(watcher: Watcher, error: Error): void {
    this.remove(watcher);
    watcher.outlet.failed(watcher, error.message);
  }

  #recentPage(from: number): LogPage | undefined {
    const rows = this.#recent.from(from);
    return rows && { rows, revision: this.#store.revision };
  }

  /** Reads a page of complete revisions from a revision on. */
  #readPage(from: number): LogPage {
    const { reader, durableId, revision: newest } = this.#store;
    const firstId = reader.firstIdAt(from, durableId);
    for (let scale = 1; ; scale *= 4) {
      const page = reader.rows(firstId, pageRows * scale, pageBytes * scale);
      checkDense(page.rows, page.more ? 0 : durableId);
      const rows = page.rows.filter((row) => row.id <= durableId);
      // Rows of a commit may be on the disk before the store gets the worker's answer; they were filtered out.
      if (!page.more || rows.length < page.rows.length) return { rows: rows.map(withKey), revision: newest };
      const cutRevision = (rows.at(-1) as LogRow).revision;
      // The last revision may continue behind the page, so it is dropped. If it fills the whole page, a larger page is
      // read.
      const whole = rows.filter((row) => row.revision < cutRevision);
      if (whole.length > 0) return { rows: whole.map(withKey), revision: cutRevision - 1 };
    }
  }

  #dropCompacted(watcher: Watcher): boolean {
    if (watcher.nextRevision >= this.#store.compactRevision) return false;
    this.#lagging.delete(watcher);
    watcher.outlet.compacted(watcher, this.#store.compactRevision);
    return true;
  }

  #notifyProgress(): void {
    for (const watcher of this.#synced.all()) {
      if (!watcher.progressNotify) continue;
      if (!watcher.active && watcher.outlet.ready) watcher.outlet.progress(watcher, this.#store.revision);
      watcher.active = false;
    }
  }
}

function withKey(row: LogRow): KeyedRow {
  return { key: keyText(decodeHead(row.kv, headLength(row.kv) ?? row.kv.length).key), row };
}

/**
 * Checks that row ids are consecutive: rows newer than the last compaction are never removed.
 * @param lastId the id that the rows must reach; 0 if more rows follow
 * @throws LogDamagedError
 */
function checkDense(rows: readonly LogRow[], lastId: number): void {
  const first = rows[0];
  if (first === undefined) return;
  const gap = rows.findIndex((row, at) => row.id !== first.id + at);
  const end = gap === -1 ? first.id + rows.length : first.id + gap;
  if (gap !== -1 || end <= lastId) throw new LogDamagedError(`row ${end} of the log is missing`, { id: end });
}
