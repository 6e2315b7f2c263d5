import type { WatchFilter } from '../../../shared/storage/etcd-wire/watch-messages.ts';
import type { KeyRange } from '../mvcc/key-range.ts';
import type { ChangeEvent } from './watch-event.ts';

export interface WatcherOptions {
  readonly id: number;
  readonly range: KeyRange;
  readonly filters: readonly WatchFilter[];
  readonly prevKv: boolean;
  readonly fragment: boolean;
  readonly progressNotify: boolean;
  /** First revision that it is to see. */
  readonly startRevision: number;
}

/** Where a watcher's events go. */
export interface WatcherOutlet {
  /** True while more may be delivered; false: the peer is slow, hold back. */
  readonly ready: boolean;
  /** Events of whole revisions, in order. */
  deliver(watcher: Watcher, events: readonly ChangeEvent[], revision: number): void;
  /** The watcher wants revisions that are compacted away; it is removed. */
  compacted(watcher: Watcher, compactRevision: number): void;
  /** What the watcher should have shown cannot be read; it is removed. */
  failed(watcher: Watcher, reason: string): void;
  /** Says that every event up to the revision has been sent. */
  progress(watcher: Watcher, revision: number): void;
  /** The watcher has caught up with the store. */
  synced(): void;
}

/**
 * One watch. *Synced*: it has been given everything up to the store's revision, and gets changes as they happen.
 * Otherwise it reads on from the log at `nextRevision`.
 */
export class Watcher {
  readonly id: number;
  readonly range: KeyRange;
  readonly prevKv: boolean;
  readonly fragment: boolean;
  readonly progressNotify: boolean;
  readonly outlet: WatcherOutlet;
  /** First revision not delivered yet. */
  nextRevision: number;
  synced = false;
  /** Something was sent since the last round of progress notifications. */
  active = false;
  /** Events gathered for the delivery under way. */
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
