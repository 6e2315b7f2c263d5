import { formatGroupResource } from '#shared/apimachinery/gvk.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import { MetricsRegistry } from '#shared/observability/metrics/registry.ts';
import type { ObjectCount, ObjectCounts } from '#shared/registry/object-counts.ts';

/** In the reference they are counted once a minute. */
const asCounted = { merged: 'first', reset: 60_000 } as const;

/**
 * The families of object counts (apiserver/pkg/storage/etcd3/metrics). They are counted when they are printed.
 * @param withSizes `SizeBasedListCostEstimate`
 */
export function objectCountMetrics(counts: ObjectCounts, withSizes: boolean): readonly Family[] {
  const registry = new MetricsRegistry();
  registry.gauges(
    'apiserver_storage_objects',
    '[STABLE] (Deprecated since 1.34.0) [DEPRECATED, consider using apiserver_resource_objects instead] Number of stored objects at the time of last check split by kind. In case of a fetching error, the value will be -1.',
    ['resource'],
    function* () {
      for (const one of counts.counts()) yield [[formatGroupResource(one)], one.count];
    },
    asCounted,
  );
  registry.gauges(
    'apiserver_resource_objects',
    '[ALPHA] Objects in storage by resource, -1 where they could not be counted.',
    ['group', 'resource'],
    function* () {
      for (const { group, resource, count } of counts.counts()) yield [[group, resource], count];
    },
    asCounted,
  );
  if (withSizes)
    registry.gauges(
      'apiserver_resource_size_estimate_bytes',
      '[ALPHA] Bytes of the objects in storage by resource, -1 where nobody knows.',
      ['group', 'resource'],
      function* () {
        for (const one of counts.counts()) yield [[one.group, one.resource], bytesOf(one)];
      },
      asCounted,
    );
  const refresh = (): Promise<void> => counts.refresh();
  return registry.families().map((family) => ({ ...family, refresh }));
}

function bytesOf({ count, averageBytes }: ObjectCount): number {
  return count > 0 && averageBytes === 0 ? -1 : Math.max(-1, count * averageBytes);
}
