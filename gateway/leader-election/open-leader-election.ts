import type { BackendSet } from '#gateway/backends/backends.ts';
import type { SendToCore } from '#gateway/identity/identity-lease.ts';
import { internalSend } from '#gateway/proxy/internal-request.ts';
import { Reconciler } from '#shared/follow/reconciler.ts';
import { limitRepeatedErrors } from '#shared/observability/limit-repeated-errors.ts';
import type { Logger } from '#shared/observability/logger.ts';
import type { ResourceCaches } from '#shared/registry/resource-caches.ts';
import { featureGates } from '#shared/server/options/feature-gates.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import { collectCandidates } from './collect-candidates.ts';
import { Elections } from './elections.ts';
import { Leadership } from './leadership.ts';

const collectEveryMs = 30 * 60_000;
const group = 'coordination.k8s.io';

export interface LeaderElectionDependencies {
  readonly options: ServerOptions;
  readonly caches: ResourceCaches;
  readonly core: BackendSet;
  readonly logger: Logger;
}

/** Coordinated leader election (KEP-4355); undefined if its feature gate is off. */
export function openLeaderElection(dependencies: LeaderElectionDependencies): Leadership | undefined {
  const { options, caches, core, logger } = dependencies;
  if (!featureGates(options).gates.isEnabled('CoordinatedLeaderElection')) return undefined;
  const report = limitRepeatedErrors((message, error) => logger.error(message, error));
  const onError = (error: unknown): void => report('coordinated leader election failed; trying again', error);
  const send: SendToCore = (method, target, object) => internalSend(core.pool, method, target, object);
  return new Leadership({
    ready: core.ready,
    leaseDurationMs: options.coordinatedLeadershipLeaseDuration,
    renewDeadlineMs: options.coordinatedLeadershipRenewDeadline,
    retryPeriodMs: options.coordinatedLeadershipRetryPeriod,
    send,
    onError,
    lead() {
      const [leases, candidates] = [caches.cache(group, 'leases'), caches.cache(group, 'leasecandidates')];
      const elections = new Elections({ leases, candidates, send, onError });
      const collector = new Reconciler({
        round: () => collectCandidates(candidates, send),
        everyMs: collectEveryMs,
        onError,
      });
      elections.start();
      collector.begin(0);
      return () => {
        elections.close();
        void collector.close();
      };
    },
  });
}
