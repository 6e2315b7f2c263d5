import { Reconciler } from '#shared/follow/reconciler.ts';
import type { ObjectCounts } from '#shared/registry/object-counts.ts';
import type { ControlStreamSource } from './control-stream.ts';

/** The reference counts once in a period of a minute; caches can tell more often, and lists are judged by it. */
const everyMs = 5_000;

/** Tells the gateways how many objects there are of each resource, until it is closed. */
export function tellObjectCounts(
  source: ControlStreamSource,
  counts: ObjectCounts,
  onError: (error: unknown) => void,
): Reconciler {
  const teller = new Reconciler({
    everyMs,
    async round() {
      await counts.refresh();
      source.tellObjects(
        [...counts.counts()]
          // Nothing is told of what could not be counted.
          .filter(({ count }) => count >= 0)
          .map(({ group, resource, count, averageBytes }) => [group, resource, count, averageBytes] as const),
      );
    },
    onError,
  });
  teller.begin(0);
  return teller;
}
