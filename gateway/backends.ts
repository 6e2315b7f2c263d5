import type { BackendCheck, ServedGroupVersion } from '../shared/server/control-stream.ts';
import type { HealthChecks, HealthEndpoint } from '../shared/server/health.ts';
import { Backend } from './proxy/backend.ts';
import { BackendPool } from './proxy/backend-pool.ts';

/** Checks that every server has for itself; the gateway's own answer for them. */
const ownChecks: ReadonlySet<string> = new Set(['ping', 'log', 'shutdown']);

/** Processes that serve the same thing, with what they together report. */
export class BackendSet {
  readonly pool: BackendPool;
  readonly #health: HealthChecks;
  readonly #checks = new Set<string>();
  readonly #ready = Promise.withResolvers<void>();

  /** `onChange` when any backend reports something or goes away. */
  constructor(name: string, socketPaths: readonly string[], health: HealthChecks, onChange: () => void) {
    this.#health = health;
    this.pool = new BackendPool(name, socketPaths.map((path) => new Backend(path, () => {
      this.#registerChecks();
      onChange();
      if (this.usable) this.#ready.resolve();
    })));
    health.add({ name, endpoints: ['healthz', 'readyz'], check: () => (this.usable ? undefined : `no ${name} server is ready`) });
  }

  get usable(): boolean {
    return this.pool.backends.some((backend) => backend.usable);
  }

  /** Some backend has said what it serves. */
  get known(): boolean {
    return this.pool.backends.some((backend) => backend.state !== undefined);
  }

  /** Resolves when the first backend takes requests. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Group versions of the backend that reported last among those that are connected, or of the one last seen. */
  get served(): readonly ServedGroupVersion[] {
    const { backends } = this.pool;
    return (backends.find((backend) => backend.usable) ?? backends.find((backend) => backend.state !== undefined))?.state?.groupVersions ?? [];
  }

  close(): void {
    for (const backend of this.pool.backends) backend.close();
  }

  #registerChecks(): void {
    for (const { state } of this.pool.backends) {
      for (const check of state?.checks ?? []) {
        if (ownChecks.has(check.name) || this.#checks.has(check.name)) continue;
        this.#checks.add(check.name);
        this.#health.add({ name: check.name, endpoints: endpointsOf(check), check: () => this.#result(check.name) });
      }
    }
  }

  /** Red when any connected backend says so; a backend that is away shows in the check with the set's own name. */
  #result(name: string): string | undefined {
    for (const { state, connected } of this.pool.backends) {
      const check = connected ? state?.checks.find((candidate) => candidate.name === name) : undefined;
      if (check?.ok === false) return check.reason === '' ? 'failed' : check.reason;
    }
    return undefined;
  }
}

function endpointsOf(check: BackendCheck): HealthEndpoint[] {
  return (['healthz', 'livez', 'readyz'] as const).filter((endpoint) => check[endpoint]);
}
