import type { Count } from '#shared/observability/metrics/counter.ts';
import { processRegistry } from '#shared/observability/metrics/process-registry.ts';

/** The resource of a cache, in metrics. */
export interface CachedResource {
  readonly group: string;
  readonly resource: string;
}

/** A cache that tells its state when metrics are shown. */
interface MeasuredCache {
  readonly revision: number;
  readonly capacity: number;
}

/** Counts of one cache (apiserver/pkg/storage/cacher/metrics, apiserver/pkg/storage/etcd3/metrics). */
export interface CacheCounts {
  readonly fromStorage: Count;
  readonly received: Count;
  readonly dispatched: Count;
  readonly initializations: Count;
  readonly bookmarks: Count;
}

const names = ['group', 'resource'];
const fromStorage = counter(
  'apiserver_storage_events_received_total',
  '[BETA] Number of etcd events received split by kind.',
);
const bookmarks = counter(
  'etcd_bookmark_total',
  '[ALPHA] Number of etcd bookmarks (progress notify events) split by kind.',
);
const received = counter(
  'apiserver_watch_cache_events_received_total',
  '[ALPHA] Counter of events received in watch cache broken by resource type.',
);
const dispatched = counter(
  'apiserver_watch_cache_events_dispatched_total',
  '[ALPHA] Counter of events dispatched in watch cache broken by resource type.',
);
const initializations = counter(
  'apiserver_watch_cache_initializations_total',
  '[ALPHA] Counter of watch cache initializations broken by resource type.',
);
const open = new Map<MeasuredCache, CachedResource>();
gauge(
  'apiserver_watch_cache_resource_version',
  '[ALPHA] Current resource version of watch cache broken by resource type. This is truncated to the 15 least significant digits.',
  ({ revision }) => revision,
);
gauge(
  'watch_cache_capacity',
  '[ALPHA] Total capacity of watch cache broken by resource type.',
  ({ capacity }) => capacity,
);

function counter(name: string, help: string): ReturnType<typeof processRegistry.counter> {
  return processRegistry.counter(name, help, names);
}

function gauge(name: string, help: string, read: (cache: MeasuredCache) => number): void {
  processRegistry.gauges(
    name,
    help,
    names,
    function* () {
      for (const [cache, { group, resource }] of open) yield [[group, resource], read(cache)];
    },
    'max',
  );
}

/** The counts of a cache, whose state is shown until it is forgotten. Caches without a resource are not counted. */
export function measureCache(cache: MeasuredCache, measured: CachedResource | undefined): CacheCounts | undefined {
  if (measured === undefined) return undefined;
  open.set(cache, measured);
  const { group, resource } = measured;
  return {
    fromStorage: fromStorage.of(group, resource),
    received: received.of(group, resource),
    dispatched: dispatched.of(group, resource),
    initializations: initializations.of(group, resource),
    bookmarks: bookmarks.of(group, resource),
  };
}

export function forgetCache(cache: MeasuredCache): void {
  open.delete(cache);
}
