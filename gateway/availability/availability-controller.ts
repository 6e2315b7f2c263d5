import {
  apiServiceSpec,
  availabilityOf,
  locallyAvailable,
  sameAvailability,
  setAvailability,
} from '#gateway/apiservices/api-service.ts';
import type { Availability } from '#gateway/apiservices/api-service.ts';
import type { RemoteServers } from '#gateway/remote/remote-servers.ts';
import { objectNowMs } from '#shared/apimachinery/chance/object-clock.ts';
import { StatusError } from '#shared/apimachinery/errors/status.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { WorkQueue } from '#shared/follow/work-queue.ts';
import type { ResourceStore } from '#shared/registry/resource-store.ts';
import { systemContext } from '#shared/registry/system-context.ts';
import type { ServiceDirectory } from '#shared/services/service-directory.ts';
import { AvailabilityMetrics } from './availability-metrics.ts';
import { checkAvailability } from './check-availability.ts';

const firstRetryMs = 5;
/**
 * Longest pause between checks of a failing server. The reference has 30 s; a shorter one notices a recovery sooner.
 */
const longestRetryMs = 3000;
/** Interval at which every APIService is checked again, as the network can change without a change of API objects. */
const resyncMs = 30_000;

/**
 * Keeps the condition `Available` of all APIServices. Safe to run in several gateways: each writes only the result of
 * its own check, and only if the stored condition differs (kube-aggregator/pkg/controllers/status).
 */
export class AvailabilityController {
  readonly metrics = new AvailabilityMetrics();
  readonly #store: ResourceStore;
  readonly #servers: RemoteServers;
  readonly #directory: ServiceDirectory;
  readonly #queue: WorkQueue;
  readonly #resync: NodeJS.Timeout;

  constructor(store: ResourceStore, servers: RemoteServers, directory: ServiceDirectory) {
    this.#store = store;
    this.#servers = servers;
    this.#directory = directory;
    this.#queue = new WorkQueue({
      name: 'RemoteAvailabilityController',
      work: (name) => this.#sync(name),
      backOff: { firstMs: firstRetryMs, longestMs: longestRetryMs },
    });
    this.#resync = setInterval(() => this.#checkAll(), resyncMs).unref();
  }

  /** Checks the APIService now. */
  check(name: string): void {
    this.#queue.add(name);
  }

  close(): void {
    clearInterval(this.#resync);
    this.#queue.close();
  }

  #checkAll(): void {
    if (!this.#store.cache.isReady()) return;
    for (const entry of this.#store.cache.snapshot().entries(this.#store.key(''))) this.check(entry.name);
  }

  async #sync(name: string): Promise<void> {
    const entry = this.#store.cache.get(this.#store.key('', name));
    if (entry === undefined) {
      this.metrics.forget(name);
      return this.#queue.forget(name);
    }
    const object = this.#store.parse(entry);
    if (apiServiceSpec(object).service === undefined) return await this.#write(object, locallyAvailable);
    // The reasons ServiceAccessError and EndpointsAccessError cannot occur: the reference reads from synced caches,
    // too.
    await this.#directory.ready();
    const server = this.#servers.get(name);
    if (server === undefined) return;
    if (server.problem !== undefined) throw new Error(server.problem);
    const found = await checkAvailability(server, this.#directory);
    await this.#write(object, found);
    // The error makes the queue retry. Other reasons need no retry: they change only with API objects, which are
    // watched.
    if (found.reason === 'FailedDiscoveryCheck') throw new Error(found.message);
  }

  async #write(checked: KubeObject, found: Availability): Promise<void> {
    this.metrics.record(checked.metadata.name ?? '', availabilityOf(checked), found);
    if (sameAvailability(availabilityOf(checked), found)) return;
    const spec = JSON.stringify(apiServiceSpec(checked));
    try {
      await this.#store.update(
        {
          name: checked.metadata.name ?? '',
          subresource: 'status',
          transform: (existing) => {
            const object = existing ?? checked;
            // If the spec has changed since the check, the result is dropped: a check of the new spec is queued.
            if (JSON.stringify(apiServiceSpec(object)) === spec) setAvailability(object, found, objectNowMs());
            return object;
          },
        },
        systemContext({ subresource: 'status' }),
      );
    } catch (error) {
      if (!(error instanceof StatusError) || error.reason !== 'NotFound') throw error;
    }
  }
}
