import { setTimeout as sleep } from 'node:timers/promises';
import { isEncryptionCheck } from '#shared/server/health-order.ts';
import type { HealthChecks } from '#shared/server/health.ts';
import { ControlStreamSource, type BackendCheck, type ServedGroupVersion } from './control-stream.ts';
import { ownProcessMark } from './process-activity.ts';

const checkIntervalMs = 1000;
/** Gateways that hang delay the shutdown by no more than this. */
const gatewaysLeaveMs = 2_000;
/** Time for requests that a gateway sent on another connection just before it received `draining`. */
const lastRequestsMs = 50;
/** Interval of the checks until all have passed, which the start waits for. */
const startIntervalMs = 5;

/** Reports the group versions, the health and the shutdown of a backend to the gateways. */
export class BackendReporter {
  readonly source: ControlStreamSource;
  readonly #health: HealthChecks;
  readonly #ready = Promise.withResolvers<void>();
  #timer: NodeJS.Timeout | undefined;

  constructor(server: string, groupVersions: readonly ServedGroupVersion[], health: HealthChecks) {
    this.#health = health;
    const mark = ownProcessMark();
    this.source = new ControlStreamSource({
      type: 'state',
      server,
      ready: false,
      draining: false,
      groupVersions,
      checks: [],
      ...(mark === undefined ? {} : { process: mark }),
    });
    this.#schedule(0);
  }

  /** Resolves when every check of /readyz passed once, but those of encryption at rest. */
  untilReady(): Promise<void> {
    return this.#ready.promise;
  }

  /**
   * Asks the gateways to send no more requests, and resolves when they have left. Requests that they sent before must
   * still be served.
   */
  async drain(): Promise<void> {
    this.source.update({ draining: true, ready: false });
    await this.source.untilAlone(gatewaysLeaveMs);
    await sleep(lastRequestsMs);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.source.close();
  }

  #schedule(afterMs: number): void {
    this.#timer = setTimeout(() => void this.#runChecks(), afterMs).unref();
  }

  async #runChecks(): Promise<void> {
    const checks = await checksOf(this.#health);
    if (this.#timer === undefined) return;
    const green = checks.every(({ name, ok, readyz }) => ok || !readyz || isEncryptionCheck(name));
    if (!this.source.state.draining) this.source.update({ checks, ready: this.source.state.ready || green });
    if (green) this.#ready.resolve();
    this.#schedule(this.source.state.ready ? checkIntervalMs : startIntervalMs);
  }
}

/** Each check once, with the endpoints that include it. */
async function checksOf(health: HealthChecks): Promise<BackendCheck[]> {
  const named = new Map<string, BackendCheck>();
  const endpoints = ['healthz', 'livez', 'readyz'] as const;
  const results = await Promise.all(endpoints.map((endpoint) => health.run(endpoint)));
  for (const [index, endpoint] of endpoints.entries()) {
    for (const { name, reason } of results[index] ?? []) {
      const known = named.get(name) ?? { name, healthz: false, livez: false, readyz: false, ok: true, reason: '' };
      named.set(name, { ...known, [endpoint]: true, ok: known.ok && reason === '', reason: known.reason || reason });
    }
  }
  return [...named.values()];
}
