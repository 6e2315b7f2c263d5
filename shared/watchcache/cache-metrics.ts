import { processRegistry } from '#shared/observability/metrics/process-registry.ts';
import type { Storage, StorageWatch, StorageWatchHandlers } from '#shared/storage/storage.ts';

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

/** apiserver/pkg/storage/cacher/metrics, apiserver/pkg/storage/etcd3/metrics */
const names = ['group', 'resource'];
const fromStorage = counter(
  'apiserver_storage_events_received_total',
  '[BETA] Number of etcd events received split by kind.',
);
const bookmarkHelp = 'Number of etcd bookmarks (progress notify events) split by kind.';
const bookmarks = counter('etcd_bookmark_total', `[ALPHA] ${bookmarkHelp}`);
// The same as a gauge, hidden since 1.36.
processRegistry.gauges(
  'etcd_bookmark_counts',
  `[ALPHA] (Deprecated since 1.36.0) ${bookmarkHelp}`,
  names,
  () => bookmarks.samples().map(({ labels, value }) => [labels, Number(value)]),
  { merged: 'sum', reset: 'never' },
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
  ({ revision }) => revision % 1e15,
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
    { merged: 'max' },
  );
}

/** Shows the state of a cache until it is forgotten. */
export function showCache(cache: MeasuredCache, measured: CachedResource): void {
  open.set(cache, measured);
}

export function forgetCache(cache: MeasuredCache): void {
  open.delete(cache);
}

interface MeasuredWatch {
  readonly storage: Storage;
  readonly prefix: string;
  readonly measured?: CachedResource | undefined;
}

/** Watches storage for a cache, and counts what comes where the cache has a resource. */
export function watchStorage(
  { storage, prefix, measured }: MeasuredWatch,
  fromRevision: number,
  handlers: StorageWatchHandlers,
): StorageWatch {
  if (measured === undefined) return storage.watch(prefix, fromRevision, handlers);
  const labels = [measured.group, measured.resource];
  const counts = [fromStorage, received, dispatched].map((family) => family.at(labels));
  const progress = bookmarks.at(labels);
  const handedOn = dispatched.at(labels);
  initializations.at(labels).value++;
  return storage.watch(prefix, fromRevision, {
    onEvents(events, revision) {
      for (const count of counts) count.value += events.length;
      handlers.onEvents(events, revision);
    },
    onProgress(revision) {
      progress.value++;
      // As in the reference, which passes them on to its dispatcher.
      handedOn.value++;
      handlers.onProgress(revision);
    },
    onError: (error) => handlers.onError(error),
  });
}
