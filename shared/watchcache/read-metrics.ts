import type { Count } from '#shared/observability/metrics/counter.ts';
import type { Observations } from '#shared/observability/metrics/histogram.ts';
import { processRegistry } from '#shared/observability/metrics/process-registry.ts';
import type { CachedResource } from './cache-metrics.ts';
import { StorageCalls } from './storage-calls.ts';
import { StorageLists } from './storage-lists.ts';

/** apiserver/pkg/storage/cacher/metrics */
const names = ['group', 'resource'];
const lists = processRegistry.counter(
  'apiserver_cache_list_total',
  '[ALPHA] Number of LIST requests served from watch cache',
  [...names, 'index'],
);
const fetched = processRegistry.counter(
  'apiserver_cache_list_fetched_objects_total',
  '[ALPHA] Number of objects read from watch cache in the course of serving a LIST request',
  [...names, 'index'],
);
const returned = processRegistry.counter(
  'apiserver_cache_list_returned_objects_total',
  '[ALPHA] Number of objects returned for a LIST request from watch cache',
  names,
);
const waits = processRegistry.histogram(
  'apiserver_watch_cache_read_wait_seconds',
  '[ALPHA] Histogram of time spent waiting for a watch cache to become fresh.',
  names,
  [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3],
);
const consistentReads = processRegistry.counter(
  'apiserver_watch_cache_consistent_read_total',
  '[ALPHA] Counter for consistent reads from cache.',
  [...names, 'success', 'fallback'],
);
const initialEvents = processRegistry.counter(
  'apiserver_init_events_total',
  '[ALPHA] Counter of init events processed in watch cache broken by resource type.',
  names,
);
const terminations = processRegistry.counter(
  'apiserver_terminated_watchers_total',
  '[ALPHA] Counter of watchers closed due to unresponsiveness broken by resource type.',
  names,
);
const undecodable = processRegistry.counter(
  'apiserver_storage_decode_errors_total',
  '[ALPHA] Number of stored object decode errors split by object type',
  names,
);

interface ListCounts {
  readonly total: Count;
  readonly fetched: Count;
  readonly returned: Count;
}

/** What is read from one cache. Each series is shown from its first count on. */
export class CacheReads {
  readonly #names: readonly [string, string];
  readonly #revisions: StorageCalls;
  readonly #storageLists: StorageLists;
  #waits: Observations | undefined;
  #lists: ListCounts | undefined;

  constructor(resource: CachedResource) {
    this.#names = [resource.group, resource.resource];
    this.#revisions = new StorageCalls('get', resource);
    this.#storageLists = new StorageLists(resource);
  }

  /** The newest revision was read from etcd, maybe by one read for many. */
  revisionRead(startedMs: number, hasFailed: boolean): void {
    this.#revisions.ended(startedMs, hasFailed);
  }

  /** The cache had become as new as a reader wanted it. */
  waited(seconds: number): void {
    (this.#waits ??= waits.at(this.#names)).observe(seconds);
  }

  /** A list or a watch has asked for the newest state; the read of its revision counts as a list without objects. */
  askedForNewest(): void {
    this.#storageLists.add(0);
  }

  consistentList(hasSucceeded: boolean): void {
    consistentReads.add(...this.#names, String(hasSucceeded), 'false');
  }

  listed(fetchedObjects: number, returnedObjects: number): void {
    const counts = (this.#lists ??= {
      total: lists.of(...this.#names, ''),
      fetched: fetched.of(...this.#names, ''),
      returned: returned.at(this.#names),
    });
    counts.total.value++;
    counts.fetched.value += fetchedObjects;
    counts.returned.value += returnedObjects;
  }

  /** A watcher was sent events of before it began. */
  initialEvents(count: number): void {
    initialEvents.at(this.#names).value += count;
  }

  /** A watcher was too slow. */
  terminated(): void {
    terminations.at(this.#names).value++;
  }

  undecodable(): void {
    undecodable.at(this.#names).value++;
  }
}
