import { formatGroupResource } from '#shared/apimachinery/gvk.ts';
import { MetricsRegistry, type Family } from '#shared/observability/metrics.ts';
import type { ObjectCounts } from '#shared/registry/object-counts.ts';

/** The families of object counts (apiserver/pkg/storage/etcd3/metrics). They are counted when they are printed. */
export function objectCountMetrics(counts: ObjectCounts): readonly Family[] {
  const registry = new MetricsRegistry();
  registry.gauges(
    'apiserver_storage_objects',
    '[STABLE] (Deprecated since 1.34.0) Objects in storage by resource, -1 where they could not be counted. See apiserver_resource_objects.',
    ['resource'],
    function* () {
      for (const one of counts.counts()) yield [[formatGroupResource(one)], one.count];
    },
  );
  registry.gauges(
    'apiserver_resource_objects',
    '[ALPHA] Objects in storage by resource, -1 where they could not be counted.',
    ['group', 'resource'],
    function* () {
      for (const { group, resource, count } of counts.counts()) yield [[group, resource], count];
    },
  );
  const refresh = (): Promise<void> => counts.refresh();
  return registry.families().map((family) => ({ ...family, refresh }));
}
