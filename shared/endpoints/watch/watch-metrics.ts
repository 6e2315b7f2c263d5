import type { Count } from '#shared/observability/metrics/counter.ts';
import { exponentialBuckets, type Observations } from '#shared/observability/metrics/histogram.ts';
import { processRegistry } from '#shared/observability/metrics/process-registry.ts';
import type { RequestContext } from '#shared/request/request-context.ts';

const byResource = ['group', 'version', 'resource'];
const events = processRegistry.counter(
  'apiserver_watch_events_total',
  '[ALPHA] Number of events sent in watch clients',
  byResource,
);
const sizes = processRegistry.histogram(
  'apiserver_watch_events_sizes',
  '[ALPHA] Watch event size distribution in bytes',
  byResource,
  exponentialBuckets(1024, 2, 8),
);
const initialLists = processRegistry.histogram(
  'apiserver_watch_list_duration_seconds',
  '[BETA] Response latency distribution in seconds for watch list requests broken by group, version, resource and scope.',
  [...byResource, 'scope'],
  [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 15, 20, 30, 45, 60],
);

/** The counts of the events of one watch (apiserver/pkg/endpoints/metrics). */
export interface SentEvents {
  readonly events: Count;
  readonly bytes: Observations;
}

export function watchCounts({ info }: RequestContext): SentEvents {
  const labels = [info.apiGroup, info.apiVersion, info.resource];
  return { events: events.at(labels), bytes: sizes.at(labels) };
}

/** The initial events of a watch were sent to their end. */
export function observeInitialList({ info, receivedAtMs }: RequestContext): void {
  const scope = info.name !== '' ? 'resource' : info.namespace !== '' ? 'namespace' : 'cluster';
  const seconds = (performance.now() - receivedAtMs) / 1000;
  initialLists.observe(seconds, info.apiGroup, info.apiVersion, info.resource, scope);
}
