import { AddressResolver } from '#gateway/proxy/address-resolver.ts';
import { BackendPool } from '#gateway/proxy/backend-pool.ts';
import { Backend } from '#gateway/proxy/backend.ts';
import type { BackendCheck, ServedGroupVersion, ToldObjects } from '#shared/process/control-stream.ts';
import { dialer, type GatewayCredentials } from '#shared/process/link/dial.ts';
import { isEncryptionCheck } from '#shared/server/health-order.ts';
import type { HealthChecks, HealthEndpoint } from '#shared/server/health.ts';
import { formatBackendAddress, type BackendAddress } from '#shared/server/options/backend-address.ts';

/** Health checks that every server has; the gateway reports only its own results of them. */
const ownChecks: ReadonlySet<string> = new Set(['ping', 'log', 'shutdown']);

export interface BackendSetOptions {
  /** Name of the server: `core` or `extensions`. */
  readonly name: string;
  /** A host name among them stands for all addresses that it resolves to. */
  readonly addresses: readonly BackendAddress[];
  /** Required if any address is not a local socket. */
  readonly credentials: GatewayCredentials | undefined;
  readonly health: HealthChecks;
  readonly onError: (message: string, error: unknown) => void;
  /** Called when a backend tells how many objects there are. Default: they are not asked. */
  readonly onObjects?: ((told: ToldObjects) => void) | undefined;
}

/** The processes of one server (core or extensions), with their combined state. */
export class BackendSet {
  readonly pool: BackendPool;
  readonly #options: BackendSetOptions;
  readonly #resolver: AddressResolver;
  readonly #checks = new Set<string>();
  readonly #ready = Promise.withResolvers<void>();
  readonly #listeners: (() => void)[] = [];
  /** Group versions that the usable backends reported, kept while none is usable. */
  #served: readonly ServedGroupVersion[] | undefined;

  constructor(options: BackendSetOptions) {
    const { name, health } = options;
    this.#options = options;
    this.pool = new BackendPool(name);
    this.#resolver = new AddressResolver({
      addresses: options.addresses,
      onAddresses: (addresses) => this.#use(addresses),
      onError: (error) => options.onError(`addresses of ${name} servers cannot be resolved; trying again`, error),
    });
    health.add({
      name,
      endpoints: ['healthz', 'readyz'],
      quiet: true,
      check: () => (this.usable ? undefined : `no ${name} server is ready`),
    });
  }

  get usable(): boolean {
    return this.pool.backends.some((backend) => backend.usable || backend.draining);
  }

  /** Whether any backend has reported its group versions. */
  get known(): boolean {
    return this.#served !== undefined;
  }

  /** Resolves when the first backend is usable. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Group versions that any usable backend serves; while none is usable, the last known ones. */
  get served(): readonly ServedGroupVersion[] {
    return this.#served ?? [];
  }

  /** Calls `listener` when any backend reports its state or disconnects. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  close(): void {
    this.#resolver.close();
    for (const backend of this.pool.backends) backend.close();
  }

  #use(addresses: readonly BackendAddress[]): void {
    const present = new Map(this.pool.backends.map((backend) => [backend.address, backend]));
    const wanted = addresses.map((address) => {
      const text = formatBackendAddress(address);
      const { credentials, onObjects } = this.#options;
      const backend =
        present.get(text) ?? new Backend(text, dialer(address, credentials), () => this.#changed(), onObjects);
      present.delete(text);
      return backend;
    });
    this.pool.replace(wanted);
    for (const backend of present.values()) backend.retire();
    if (present.size > 0) this.#changed();
  }

  #changed(): void {
    const { backends } = this.pool;
    const usable = backends.filter((backend) => backend.usable);
    const speaking = usable.length > 0 ? usable : this.#served === undefined ? backends : [];
    const states = speaking.flatMap(({ state }) => (state === undefined ? [] : [state]));
    if (states.length > 0) this.#served = union(states.map(({ groupVersions }) => groupVersions));
    this.#registerChecks();
    // The gateway does not leave a draining backend while no other is usable: its replacement may not have connected
    // yet.
    if (usable.length > 0 || backends.length === 1)
      for (const backend of backends) if (backend.draining) backend.leave();
    for (const listener of this.#listeners) listener();
    if (this.usable) this.#ready.resolve();
  }

  #registerChecks(): void {
    for (const { state } of this.pool.backends) {
      for (const check of state?.checks ?? []) {
        if (ownChecks.has(check.name) || this.#checks.has(check.name)) continue;
        this.#checks.add(check.name);
        // All processes, the gateway too, ask the KMS plugins for keys of their own.
        if (isEncryptionCheck(check.name)) {
          this.#options.health.join(check.name, () => this.#result(check.name));
          continue;
        }
        this.#options.health.add({
          name: check.name,
          endpoints: endpointsOf(check),
          check: () => this.#result(check.name),
        });
      }
    }
  }

  /**
   * Returns a failure if the check fails on every connected backend. Missing backends fail the check named after the
   * set.
   */
  #result(name: string): string | undefined {
    let reason: string | undefined;
    for (const { state, connected } of this.pool.backends) {
      const check = connected ? state?.checks.find((candidate) => candidate.name === name) : undefined;
      if (check?.ok === true) return undefined;
      if (check !== undefined) reason ??= check.reason === '' ? 'failed' : check.reason;
    }
    return reason;
  }
}

/**
 * A new CustomResourceDefinition reaches one process a moment before the others, so all their group versions are
 * joined.
 */
function union(lists: readonly (readonly ServedGroupVersion[])[]): readonly ServedGroupVersion[] {
  const [first = [], ...others] = lists;
  if (others.length === 0) return first;
  return [...new Map(lists.flat().map((served) => [`${served.group}/${served.version}`, served])).values()];
}

function endpointsOf(check: BackendCheck): HealthEndpoint[] {
  return (['healthz', 'livez', 'readyz'] as const).filter((endpoint) => check[endpoint]);
}
