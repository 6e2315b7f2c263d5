import type { Family } from '../../../shared/observability/metrics.ts';
import type { ReportError } from '../../../shared/registry/store-parts.ts';
import type { CoreContext } from '../context/core-context.ts';
import type { ServiceAllocators } from '../apis/core/services/service-allocation.ts';
import { EventRecorder } from './event-recorder.ts';
import { ClusterIPRepair } from './repair-cluster-ips.ts';
import { NodePortRepair } from './repair-node-ports.ts';

/** The reference's (pkg/controlplane/instance.go). */
const everyMs = 180_000;

/** Repairs what Services hold, at the start and every three minutes; addresses as soon as they are seen to lack. */
export class ServiceRepair {
  readonly #core: CoreContext;
  readonly #clusterIPs: ClusterIPRepair;
  readonly #nodePorts: NodePortRepair;
  readonly #reportError: ReportError;

  constructor(core: CoreContext, { clusterIPs, nodePorts }: ServiceAllocators, reportError: ReportError) {
    this.#core = core;
    this.#clusterIPs = new ClusterIPRepair({
      core,
      clusterIPs,
      recorder: new EventRecorder(core, 'ipallocator-repair-controller'),
    });
    this.#nodePorts = new NodePortRepair(core, nodePorts, new EventRecorder(core, 'portallocator-repair-controller'));
    this.#reportError = reportError;
  }

  get metrics(): readonly Family[] {
    return this.#nodePorts.metrics;
  }

  /** Resolves after the first round of both; rejects when it failed, and may then be called again. */
  async start(): Promise<void> {
    const [againInMs] = await Promise.all([this.#clusterIPs.round(), this.#nodePorts.round()]);
    await this.#followServices();
    this.#again(() => this.#clusterIPs.round(), 'addresses', againInMs);
    this.#again(() => this.#nodePorts.round(), 'node ports', undefined);
  }

  /**
   * A Service that was written past the allocator (by an old server, or from a backup) does not wait for the next
   * round.
   */
  async #followServices(): Promise<void> {
    const services = this.#core.store('', 'services');
    const { cache } = services;
    await cache.ready();
    cache.watch({
      prefix: services.key(''),
      afterRevision: cache.revision,
      initialEvents: false,
      onEvents: (events) => {
        for (const { type, entry } of events)
          if (type !== 'DELETED') void this.#clusterIPs.checkWritten(entry).catch(this.#notRepaired);
      },
      onProgress: () => undefined,
      onClose: (reason) => {
        if (reason !== 'Stopped') void this.#followServices().catch(this.#notRepaired);
      },
    });
  }

  readonly #notRepaired = (error: unknown): void =>
    this.#reportError('Failed to repair the addresses of a Service; the next round tries again', error);

  #again(round: () => Promise<number | undefined>, what: string, inMs: number | undefined): void {
    const run = async (): Promise<void> => {
      const next = await round().catch((error: unknown) => {
        this.#reportError(`Failed to repair the ${what} of Services; trying again`, error);
        return undefined;
      });
      this.#again(round, what, next);
    };
    setTimeout(() => void run(), inMs ?? everyMs).unref();
  }
}
