import type { KubeObject } from '#shared/apimachinery/object.ts';
import { CacheFollower } from '#shared/follow/cache-follower.ts';
import type { ServedGroupVersion } from '#shared/process/control-stream.ts';
import type { ResourceStore } from '#shared/registry/resource-store.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import { apiServiceSpec } from './apiservices/api-service.ts';
import { AutoRegistration } from './apiservices/auto-registration.ts';
import type { BackendSet } from './backends/backends.ts';
import type { CurrentRoutes } from './proxy/current-routes.ts';
import { buildRoutingTable } from './proxy/routing-table.ts';
import type { BackendRoute } from './proxy/routing-table.ts';
import type { RemoteApiServices } from './remote-api-services.ts';

const retryMs = 1000;

export interface GatewayRoutesOptions {
  readonly core: BackendSet;
  readonly extensions: BackendSet;
  readonly own: readonly ServedGroupVersion[];
  readonly apiServices: ResourceStore;
  readonly remote: RemoteApiServices;
  /** Receives each new routing table. */
  readonly routes: CurrentRoutes;
  readonly onError: (error: unknown) => void;
}

/**
 * Keeps the routing table and the local APIServices current. Local routes follow what the backends report, without
 * waiting for storage; registered servers come from the APIServices.
 */
export class GatewayRoutes {
  readonly #options: GatewayRoutesOptions;
  readonly #registration: AutoRegistration;
  readonly #registered = Promise.withResolvers<void>();
  readonly #informed = Promise.withResolvers<void>();
  #complete = false;
  /** Parsed APIServices by cache entry, so that an unchanged one is parsed only once. */
  readonly #parsed = new WeakMap<CacheEntry, KubeObject>();
  readonly #follower: CacheFollower;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: GatewayRoutesOptions) {
    this.#options = options;
    this.#registration = new AutoRegistration(options.apiServices);
    for (const backends of [options.core, options.extensions]) backends.onChange(() => this.#backendsChanged());
    this.#rebuild();
    this.#follower = new CacheFollower({
      cache: options.apiServices.cache,
      prefix: options.apiServices.key(''),
      onState: () => {
        this.#apiServicesChanged(this.#registeredObjects().map(({ metadata }) => metadata.name ?? ''));
        // After a loss of the watch any may have been changed or deleted.
        this.#registerKnown();
        this.#informed.resolve();
      },
      onEvents: (events) => {
        const names = new Set(events.map(({ entry }) => entry.name));
        this.#apiServicesChanged(names);
        this.#registration.changed(names).catch((error: unknown) => this.#registerLater(error));
      },
      onError: options.onError,
    });
    // After a failure the follower retries by itself.
    this.#follower.ready().catch(() => undefined);
  }

  /** Resolves when the stored APIServices have been read. */
  get informed(): Promise<void> {
    return this.#informed.promise;
  }

  /** Resolves when every served group version has an APIService. */
  get registered(): Promise<void> {
    return this.#registered.promise;
  }

  /** Names of the APIServices of served group versions that are still to be created; undefined once all were. */
  get missingApiServices(): readonly string[] | undefined {
    const { core, extensions } = this.#options;
    return this.#complete ? undefined : this.#registration.missing([...core.served, ...extensions.served]);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#follower.close();
  }

  /** Called when a backend reported its state or disconnected. */
  #backendsChanged(): void {
    this.#rebuild();
    this.#registerKnown();
  }

  #rebuild(): void {
    const { core, extensions, own, routes } = this.#options;
    routes.replace(buildRoutingTable({ pools: [core, extensions], own, remote: this.#remote() }));
  }

  #remote(): (BackendRoute & { readonly kind: 'remote' })[] {
    return this.#registeredObjects().flatMap((object) => {
      const spec = apiServiceSpec(object);
      return spec.service === undefined ? [] : [{ kind: 'remote', spec, name: object.metadata.name ?? '' }];
    });
  }

  #registeredObjects(): KubeObject[] {
    const { apiServices } = this.#options;
    if (!apiServices.cache.isReady()) return [];
    return [...apiServices.cache.snapshot().entries(apiServices.key(''))].map((entry) => {
      let object = this.#parsed.get(entry);
      if (object === undefined) this.#parsed.set(entry, (object = apiServices.parse(entry)));
      return object;
    });
  }

  #apiServicesChanged(names: Iterable<string>): void {
    this.#options.remote.update(this.#registeredObjects(), names);
    this.#rebuild();
  }

  #registerKnown(): void {
    if (this.#options.core.known || this.#options.extensions.known) this.#register();
  }

  #register(): void {
    if (this.#closed) return;
    clearTimeout(this.#retry);
    const { core, extensions } = this.#options;
    const all = core.known && extensions.known;
    this.#registration.sync([...core.served, ...extensions.served], all).then(
      () => {
        if (!all) return;
        this.#complete = true;
        this.#registered.resolve();
      },
      (error: unknown) => this.#registerLater(error),
    );
  }

  #registerLater(error: unknown): void {
    if (this.#closed) return;
    this.#options.onError(error);
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#register(), retryMs);
  }
}
