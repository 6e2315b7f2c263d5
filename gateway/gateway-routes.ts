import type { ResourceStore } from '../shared/registry/resource-store.ts';
import { parseEntry } from '../shared/registry/create-resource-caches.ts';
import type { ServedGroupVersion } from '../shared/server/control-stream.ts';
import { apiServiceSpec } from './apiservices/api-service.ts';
import type { ApiServiceSpec } from './apiservices/api-service.ts';
import { AutoRegistration } from './apiservices/auto-registration.ts';
import type { BackendSet } from './backends.ts';
import { buildRoutingTable, RoutingTable } from './proxy/routing-table.ts';

const retryMs = 1000;

export interface GatewayRoutesOptions {
  readonly core: BackendSet;
  readonly own: readonly ServedGroupVersion[];
  readonly apiServices: ResourceStore;
  /** After each swap of the table. */
  readonly onChange: (table: RoutingTable) => void;
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
  #table = new RoutingTable(new Map());
  #complete = false;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: GatewayRoutesOptions) {
    this.#options = options;
    this.#registration = new AutoRegistration(options.apiServices);
    this.#rebuild();
    void this.#watch();
  }

  get table(): RoutingTable {
    return this.#table;
  }

  /** Resolves when there is an APIService for all that is served. */
  get registered(): Promise<void> {
    return this.#registered.promise;
  }

  get registrationComplete(): boolean {
    return this.#complete;
  }

  /** A backend reported something or went away. */
  backendsChanged(): void {
    this.#rebuild();
    if (this.#options.core.known) this.#register();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
  }

  #rebuild(): void {
    const { core, own, onChange } = this.#options;
    this.#table = buildRoutingTable({ pools: [{ pool: core.pool, served: core.served }], own, apiServices: this.#remote() });
    onChange(this.#table);
  }

  #remote(): ApiServiceSpec[] {
    const { cache, key } = { cache: this.#options.apiServices.cache, key: this.#options.apiServices.key('') };
    if (!cache.isReady()) return [];
    return [...cache.snapshot().entries(key)].map((entry) => apiServiceSpec(parseEntry(entry)));
  }

  #register(): void {
    if (this.#closed) return;
    clearTimeout(this.#retry);
    this.#registration.sync([...this.#options.core.served]).then(() => {
      this.#complete = true;
      this.#registered.resolve();
    }, (error: unknown) => {
      if (this.#closed) return;
      this.#options.onError(error);
      this.#retry = setTimeout(() => this.#register(), retryMs);
    });
  }

  async #watch(): Promise<void> {
    const { cache } = this.#options.apiServices;
    try {
      await cache.ready();
    } catch (error) {
      if (this.#closed) return;
      this.#options.onError(error);
      setTimeout(() => void this.#watch(), retryMs).unref();
      return;
    }
    this.#rebuild();
    cache.watch({
      prefix: this.#options.apiServices.key(''), afterRevision: cache.revision, initialEvents: false,
      onEvents: () => this.#rebuild(),
      onProgress: () => undefined,
      onClose: (reason) => { if (reason !== 'Stopped' && !this.#closed) void this.#watch(); },
    });
  }
}
