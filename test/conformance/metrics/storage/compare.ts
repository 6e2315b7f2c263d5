import { setTimeout as pause } from 'node:timers/promises';
import type { Pair, Side } from '#test/compare/pair.ts';
import type { Report } from '#test/compare/report.ts';
import { countsOf, growth } from '#test/conformance/metrics/growth.ts';
import { ask, metricsOf } from '#test/conformance/metrics/side.ts';
import { storedRequests } from './stored-requests.ts';

const objects = String.raw`.*resource="(?:configmaps|things)"`;
const written = String.raw`.*resource="(?:configmaps|things|services|ipaddresses|servicenodeportallocations)"`;

/**
 * Families, with labels, whose counts follow from the requests. Reads of etcd do not: a write begins with what the
 * cache has here, and there with a read (etcd3/store.go, getCurrentState).
 */
const counted = new RegExp(
  [
    `etcd_requests_total (?=.*operation="(?:create|update|delete)")${written}`,
    `etcd_request_errors_total ${written}`,
    // The reference itself lists and watches ConfigMaps.
    'apiserver_storage_list_\\w+ .*resource="things"',
    `apiserver_cache_list_\\w+ ${objects}`,
    `apiserver_watch_cache_consistent_read_total ${objects}`,
    `apiserver_(?:watch_cache|storage)_events_received_total ${written}`,
    'apiserver_init_events_total .*resource="things"',
    `apiserver_watch_events_total ${objects}`,
    'kube_apiserver_(?:clusterip|nodeport)_allocator_allocation_\\w+ ',
  ]
    .map((pattern) => `^(?:${pattern})`)
    .join('|'),
);

/** Families whose series alone are compared: how long something takes, or how often it comes, differs by the run. */
const shown = [
  'etcd_requests_total',
  'etcd_request_duration_seconds',
  'apiserver_watch_cache_read_wait_seconds',
  'apiserver_watch_cache_events_dispatched_total',
  'apiserver_watch_cache_initializations_total',
  'apiserver_watch_cache_resource_version',
  'watch_cache_capacity',
  'apiserver_storage_objects',
  'apiserver_resource_objects',
  'apiserver_resource_size_estimate_bytes',
  'apiserver_storage_size_bytes',
  'etcd_lease_object_counts',
  'apiserver_request_timestamp_comparison_time',
  // Counted there with a lister that may not have heard of the last allocation (ipallocator.go, Used).
  'kube_apiserver_clusterip_allocator_allocated_ips',
  'kube_apiserver_clusterip_allocator_available_ips',
  'kube_apiserver_nodeport_allocator_allocated_ports',
  'kube_apiserver_nodeport_allocator_available_ports',
];
const ofObjects = new RegExp(`^(?!.*resource=)|${objects}|resource="things.counted.example.com"`);

/** Events reach the caches, and watches end, a little after the answers. */
const settleMs = 400;

/** Compares what is counted of storage, caches and allocators. */
export async function compareStorage({ ours, theirs }: Pair, report: Report): Promise<void> {
  for (const part of Object.keys(storedRequests)) {
    const [have, want] = await Promise.all([grownWith(ours, part), grownWith(theirs, part)]);
    report.equal('storage', part, want, have);
  }
  const [have, want] = await Promise.all([metricsOf(ours), metricsOf(theirs)]);
  for (const name of shown) {
    const seriesOf = (families: typeof have): string[] =>
      [...(families.get(name)?.values.keys() ?? [])].filter((labels) => ofObjects.test(labels)).sort();
    report.equal('series', name, seriesOf(want), seriesOf(have));
  }
}

async function grownWith(side: Side, part: string): Promise<string[]> {
  const before = await countsOf(side, counted);
  for (const asked of storedRequests[part] ?? []) await ask(side, asked);
  await pause(settleMs);
  return growth(before, await countsOf(side, counted));
}
