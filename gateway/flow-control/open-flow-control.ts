import { bootstrapFlowControl } from '#shared/api/bootstrap-objects.ts';
import { FlowControl } from '#shared/flowcontrol/flow-control.ts';
import { FlowControlMetrics } from '#shared/flowcontrol/metrics/flow-control-metrics.ts';
import { monotonicClock } from '#shared/flowcontrol/monotonic-clock.ts';
import { Reconciler } from '#shared/follow/reconciler.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import type { ToldObjects } from '#shared/process/control-stream.ts';
import type { ServerDependencies } from '#shared/process/server-dependencies.ts';
import type { ObjectCounts } from '#shared/registry/object-counts.ts';
import type { ResourceCaches } from '#shared/registry/resource-caches.ts';
import { featureGates } from '#shared/server/options/feature-gates.ts';
import { followConfiguration } from './follow-configuration.ts';
import { tellOwnObjects } from './tell-own-objects.ts';

const rebalanceEveryMs = 10_000;

/** Flow control by the stored FlowSchemas and PriorityLevelConfigurations. */
export interface OpenFlowControl {
  readonly flowControl: FlowControl;
  readonly metrics: readonly Family[];
  /** Takes what a backend tells of its objects. */
  readonly tellObjects: (told: ToldObjects) => void;
  /** Counts the objects of the gateway itself from now on. */
  countOwn(counts: ObjectCounts | undefined): void;
  /** Resolves when the stored objects were taken in. */
  ready(): Promise<void>;
  close(): void;
}

/** Undefined without `--enable-priority-and-fairness`. */
export function openFlowControl(
  { options, reportError }: Pick<ServerDependencies, 'options' | 'reportError'>,
  caches: ResourceCaches,
): OpenFlowControl | undefined {
  if (!options.enablePriorityAndFairness) return undefined;
  const onError = (error: unknown): void => reportError('flow control stays as it was', error);
  const { gates } = featureGates(options);
  const metrics = new FlowControlMetrics(monotonicClock);
  const facts = bootstrapFlowControl();
  const flowControl = new FlowControl({
    clock: monotonicClock,
    serverLimit: options.maxRequestsInflight + options.maxMutatingRequestsInflight,
    mandatory: { levels: facts.mandatoryPriorityLevels, schemas: facts.mandatoryFlowSchemas },
    metrics,
    gates: { watchesSendObjects: gates.isEnabled('WatchList'), bySize: gates.isEnabled('SizeBasedListCostEstimate') },
  });
  const rebalance = new Reconciler({
    round: async () => flowControl.levels.rebalance(),
    everyMs: rebalanceEveryMs,
    onError,
  });
  const configuration = followConfiguration(flowControl, caches, onError);
  let teller: Reconciler | undefined;
  return {
    flowControl,
    metrics: metrics.families(flowControl.levels),
    tellObjects({ objects }) {
      for (const [group, resource, count, averageBytes] of objects)
        flowControl.objects.tell(group, resource, { count, averageBytes });
    },
    countOwn: (counts) => void (teller = counts && tellOwnObjects(flowControl, counts, onError)),
    async ready() {
      await configuration.ready();
      rebalance.begin();
    },
    close() {
      configuration.close();
      void teller?.close();
      void rebalance.close();
    },
  };
}
