import type { KeyRange } from '#servers/store/mvcc/key-range.ts';
import type { WatchFilter } from '#shared/storage/etcd-wire/watch-messages.ts';
import type { ChangeEvent } from './watch-event.ts';

export interface WatcherOptions {
  readonly id: number;
  readonly range: KeyRange;
  readonly filters: readonly WatchFilter[];
  readonly prevKv: boolean;
  readonly fragment: boolean;
  readonly progressNotify: boolean;
  /** The first revision that the watcher gets. */
  readonly startRevision: number;
}

/** The receiver of a watcher's events. */
export interface WatcherOutlet {
  /** Whether more events may be delivered; false while the peer is slow. */
  readonly ready: boolean;
  /** Delivers events of complete revisions, in order. */
  deliver(watcher: Watcher, events: readonly ChangeEvent[], revision: number): void;
  /** Called when the watcher needs compacted revisions; it is removed. */
  compacted(watcher: Watcher, compactRevision: number): void;
  /** Called when events of the watcher cannot be read; it is removed. */
  failed(watcher: Watcher, reason: string): void;
  /** Sends a progress notification: every event up to the revision has been sent. */
  progress(watcher: Watcher, revision: number): void;
  /** Called when the watcher has caught up with the store. */
  synced(): void;
}

/**
 * One watch. *Synced*: it has received all events up to the store's revision, and gets new changes directly. Otherwise
 * it reads the log from `nextRevision` on.
 */
export class Watcher {
  readonly id: number;
  readonly range: KeyRange;
  readonly prevKv: boolean;
  readonly fragment: boolean;
  readonly progressNotify: boolean;
  readonly outlet: WatcherOutlet;
  /** The first revision that is not delivered yet. */
  nextRevision: number;
  synced = false;
  /** Whether events were sent since the last progress notifications. */
  active = false;
  /** Events gathered for the current delivery. */
  batch: ChangeEvent[] = [];
  readonly #wantsPuts: boolean;
  readonly #wantsDeletes: boolean;

  constructor(options: WatcherOptions, outlet: WatcherOutlet) {
    this.id = options.id;
    this.range = options.range;
    this.prevKv = options.prevKv;
    this.fragment = options.fragment;
    this.progressNotify = options.progressNotify;
    this.nextRevision = options.startRevision;
    this.outlet = outlet;
    this.#wantsPuts = !options.filters.includes('NOPUT');
    this.#wantsDeletes = !options.filters.includes('NODELETE');
  }

  wants(event: ChangeEvent): boolean {
    return event.revision >= this.nextRevision && (event.deleted ? this.#wantsDeletes : this.#wantsPuts);
  }
}
