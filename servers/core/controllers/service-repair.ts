import type { ServiceAllocators } from '#servers/core/allocation/service-allocators.ts';
import type { CoreContext } from '#servers/core/context/core-context.ts';
import { CacheFollower } from '#shared/follow/cache-follower.ts';
import { Reconciler } from '#shared/follow/reconciler.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import type { ReportError } from '#shared/registry/object-store.ts';
import { EventRecorder } from './event-recorder.ts';
import { ClusterIPRepair } from './repair-cluster-ips.ts';
import { NodePortRepair } from './repair-node-ports.ts';

/** The reference's interval (pkg/controlplane/instance.go). */
const everyMs = 180_000;

/** Repairs addresses and node ports of Services at the start and every three minutes; a missing address at once. */
export class ServiceRepair {
  readonly #clusterIPs: ClusterIPRepair;
  readonly #nodePorts: NodePortRepair;
  readonly #reportError: ReportError;
  readonly #addressRounds: Reconciler;
  readonly #portRounds: Reconciler;
  readonly #services: CacheFollower;

  constructor(core: CoreContext, { clusterIPs, nodePorts }: ServiceAllocators, reportError: ReportError) {
    this.#clusterIPs = new ClusterIPRepair({
      core,
      clusterIPs,
      recorder: new EventRecorder(core, 'ipallocator-repair-controller'),
    });
    this.#nodePorts = new NodePortRepair(core, nodePorts, new EventRecorder(core, 'portallocator-repair-controller'));
    this.#reportError = reportError;
    const failed = (what: string) => (error: unknown) =>
      reportError(`Failed to repair the ${what} of Services; trying again`, error);
    this.#addressRounds = new Reconciler({
      round: () => this.#clusterIPs.round(),
      everyMs,
      onError: failed('addresses'),
    });
    this.#portRounds = new Reconciler({ round: () => this.#nodePorts.round(), everyMs, onError: failed('node ports') });
    this.#services = this.#servicesOf(core);
  }

  get metrics(): readonly Family[] {
    return this.#nodePorts.metrics;
  }

  /** Resolves after the first round of both; rejects when it failed, and may then be called again. */
  async start(): Promise<void> {
    const [againInMs] = await Promise.all([this.#clusterIPs.round(), this.#nodePorts.round()]);
    await this.#services.ready();
    this.#addressRounds.begin(againInMs);
    this.#portRounds.begin();
  }

  async close(): Promise<void> {
    this.#services.close();
    await Promise.all([this.#addressRounds.close(), this.#portRounds.close()]);
  }

  /**
   * Checks each written Service at once, since an old server or a restored backup may write Services without the
   * allocator.
   */
  #servicesOf(core: CoreContext): CacheFollower {
    const services = core.store('', 'services');
    const notRepaired = (error: unknown): void =>
      this.#reportError('Failed to repair the addresses of a Service; the next round tries again', error);
    return new CacheFollower({
      cache: services.cache,
      prefix: services.key(''),
      onState: () => undefined,
      onEvents: (events) => {
        for (const { type, entry } of events)
          if (type !== 'DELETED') void this.#clusterIPs.checkWritten(entry).catch(notRepaired);
      },
    });
  }
}
