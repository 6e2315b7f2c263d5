import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { SendToCore } from '#gateway/identity/identity-lease.ts';
import { numberAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { Reconciler } from '#shared/follow/reconciler.ts';
import { expectSuccess } from './expect-success.ts';
import { holderOf, leaseApiVersion, leasePath, leaseSpec } from './lease.ts';
import { microTime, nowMicros } from './micro-time.ts';

const namespace = 'kube-system';
const name = 'leader-election-controller';
/** client-go's: servers that wait for the lease try at different times. */
const jitter = 1.2;
/** Not found, and conflict: another server wrote first. */
const lostRaces: ReadonlySet<number> = new Set([404, 409]);

export interface LeadershipOptions {
  readonly leaseDurationMs: number;
  /** A leader that could not renew the lease for so long stops leading; shorter than the lease. */
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
  readonly send: SendToCore;
  /** Resolves when requests can be sent. */
  readonly ready: Promise<unknown>;
  /** Begins what the leader does; returns what ends it. */
  readonly lead: () => () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Holds the Lease by which one of the API servers runs the elections, while it can, as client-go's leader election
 * does. Whether the holder is there is judged by changes of the Lease, not by the clock of its writer.
 */
export class Leadership {
  readonly #options: LeadershipOptions;
  readonly #identity = `${hostname()}_${randomUUID()}`;
  readonly #rounds: Reconciler;
  #observed = { resourceVersion: '', atMs: 0 };
  #stopLeading: (() => void) | undefined;
  #deadline: NodeJS.Timeout | undefined;

  constructor(options: LeadershipOptions) {
    this.#options = options;
    this.#rounds = new Reconciler({
      round: () => this.#round(),
      everyMs: options.retryPeriodMs,
      onError: options.onError,
    });
  }

  start(): void {
    void this.#options.ready.then(() => this.#rounds.begin(0));
  }

  /** Stops leading, and leaves the lease to others. */
  async close(): Promise<void> {
    await this.#rounds.close();
    if (this.#stopLeading !== undefined) await this.#resign();
  }

  async #round(): Promise<number> {
    const { retryPeriodMs, renewDeadlineMs } = this.#options;
    const begunMs = performance.now();
    if (await this.#acquireOrRenew()) {
      clearTimeout(this.#deadline);
      const leftMs = Math.max(0, renewDeadlineMs - (performance.now() - begunMs));
      this.#deadline = setTimeout(() => void this.#resign(), leftMs).unref();
      this.#stopLeading ??= this.#options.lead();
    }
    return this.#stopLeading === undefined ? retryPeriodMs * (1 + jitter * Math.random()) : retryPeriodMs;
  }

  /** Returns whether this server holds the lease now. */
  async #acquireOrRenew(): Promise<boolean> {
    const { send, leaseDurationMs } = this.#options;
    const target = leasePath(namespace, name);
    const present = await send('GET', target);
    const renewTime = microTime(nowMicros());
    const spec = {
      holderIdentity: this.#identity,
      leaseDurationSeconds: Math.floor(leaseDurationMs / 1000),
      renewTime,
    };
    if (present.status === 404) {
      const lease = { apiVersion: leaseApiVersion, kind: 'Lease', metadata: { namespace, name } };
      const first = { ...spec, acquireTime: renewTime, leaseTransitions: 0 };
      return this.#written(await send('POST', leasePath(namespace), { ...lease, spec: first }));
    }
    expectSuccess(present);
    const lease = present.body as KubeObject;
    const before = leaseSpec(lease);
    const holder = holderOf(before);
    if (holder !== '' && holder !== this.#identity && this.#isHeld(lease)) return false;
    const taken =
      holder === this.#identity
        ? {}
        : { acquireTime: renewTime, leaseTransitions: (numberAt(before, 'leaseTransitions') ?? 0) + 1 };
    return this.#written(await send('PUT', target, { ...lease, spec: { ...before, ...spec, ...taken } }));
  }

  #written(answer: Awaited<ReturnType<SendToCore>>): boolean {
    if (lostRaces.has(answer.status)) return false;
    expectSuccess(answer);
    return true;
  }

  /** Whether the lease changed within its duration, as far as this server has seen. */
  #isHeld(lease: KubeObject): boolean {
    const { resourceVersion = '' } = lease.metadata;
    if (resourceVersion !== this.#observed.resourceVersion)
      this.#observed = { resourceVersion, atMs: performance.now() };
    const durationMs = (numberAt(leaseSpec(lease), 'leaseDurationSeconds') ?? 0) * 1000;
    return this.#observed.atMs + durationMs > performance.now();
  }

  /** Ends the work of the leader, and gives up the lease. */
  async #resign(): Promise<void> {
    clearTimeout(this.#deadline);
    this.#stopLeading?.();
    this.#stopLeading = undefined;
    const { send, onError } = this.#options;
    const target = leasePath(namespace, name);
    try {
      const { status, body } = await send('GET', target);
      const lease = body as KubeObject;
      if (status !== 200 || holderOf(leaseSpec(lease)) !== this.#identity) return;
      const now = microTime(nowMicros());
      const left = { holderIdentity: '', leaseDurationSeconds: 1, renewTime: now, acquireTime: now };
      this.#written(await send('PUT', target, { ...lease, spec: { ...leaseSpec(lease), ...left } }));
    } catch (error) {
      onError(error);
    }
  }
}
