import type { FlowControl } from '#shared/flowcontrol/flow-control.ts';
import { Reconciler } from '#shared/follow/reconciler.ts';
import type { ObjectCounts } from '#shared/registry/object-counts.ts';

/** As often as the reference counts by default. */
const everyMs = 60_000;

/** Tells flow control of the objects that the gateway itself stores, until it is closed. */
export function tellOwnObjects(
  flowControl: FlowControl,
  counts: ObjectCounts,
  onError: (error: unknown) => void,
): Reconciler {
  const teller = new Reconciler({
    everyMs,
    async round() {
      await counts.refresh();
      for (const { group, resource, count, averageBytes } of counts.counts())
        if (count >= 0) flowControl.objects.tell(group, resource, { count, averageBytes });
    },
    onError,
  });
  teller.begin(0);
  return teller;
}
