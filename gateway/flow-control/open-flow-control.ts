import { bootstrapFlowControl } from '#shared/api/bootstrap-objects.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { FlowControlMetrics } from '#shared/flowcontrol/flow-control-metrics.ts';
import { FlowControl } from '#shared/flowcontrol/flow-control.ts';
import { CacheFollower } from '#shared/follow/cache-follower.ts';
import { Reconciler } from '#shared/follow/reconciler.ts';
import type { Family } from '#shared/observability/metrics.ts';
import type { ResourceCaches } from '#shared/registry/resource-caches.ts';
import { featureGates } from '#shared/server/options/feature-gates.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import type { WatchCache } from '#shared/watchcache/watch-cache.ts';
import { monotonicClock } from './monotonic-clock.ts';

const group = 'flowcontrol.apiserver.k8s.io';
const rebalanceEveryMs = 10_000;

/** Flow control by the stored FlowSchemas and PriorityLevelConfigurations. */
export interface OpenFlowControl {
  readonly flowControl: FlowControl;
  readonly metrics: readonly Family[];
  /** Resolves when the stored objects were taken in. */
  ready(): Promise<void>;
  close(): void;
}

/** Undefined without `--enable-priority-and-fairness`. */
export function openFlowControl(
  options: ServerOptions,
  caches: ResourceCaches,
  onError: (error: unknown) => void,
): OpenFlowControl | undefined {
  if (!options.enablePriorityAndFairness) return undefined;
  const { gates } = featureGates(options);
  const metrics = new FlowControlMetrics();
  const facts = bootstrapFlowControl();
  const flowControl = new FlowControl({
    clock: monotonicClock,
    serverLimit: options.maxRequestsInflight + options.maxMutatingRequestsInflight,
    mandatory: { levels: facts.mandatoryPriorityLevels, schemas: facts.mandatoryFlowSchemas },
    metrics,
    gates: { watchesSendObjects: gates.isEnabled('WatchList'), bySize: gates.isEnabled('SizeBasedListCostEstimate') },
  });
  const sources = ['prioritylevelconfigurations', 'flowschemas'].map((resource) => caches.cache(group, resource));
  const configure = new Reconciler({
    round: async () => {
      if (!sources.every((cache) => cache.isReady())) return;
      const [levels = [], schemas = []] = sources.map(objectsOf);
      flowControl.configure(levels, schemas);
    },
    onError,
  });
  const rebalance = new Reconciler({
    round: async () => flowControl.levels.rebalance(),
    everyMs: rebalanceEveryMs,
    onError,
  });
  const followers = sources.map(
    (cache) => new CacheFollower({ cache, onState: () => configure.request(), onEvents: () => configure.request() }),
  );
  return {
    flowControl,
    metrics: metrics.families(flowControl.levels),
    async ready() {
      await Promise.all(followers.map((follower) => follower.ready()));
      await configure.run();
      rebalance.begin();
    },
    close() {
      for (const follower of followers) follower.close();
      void configure.close();
      void rebalance.close();
    },
  };
}

function objectsOf(cache: WatchCache): JsonObject[] {
  return [...cache.snapshot().entries('/')].map(({ json }) => JSON.parse(json.toString()) as JsonObject);
}
