import { randomUUID } from 'node:crypto';
import type { InternalAnswer } from '#gateway/proxy/internal-request.ts';
import { apiServerId } from '#shared/process/api-server-id.ts';

const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const peerAnnotation = 'kubernetes.io/peer-advertise-address';
const identityLabel = 'apiserver.kubernetes.io/identity';
const durationSeconds = 3600;
const renewEveryMs = 10_000;
const firstRetryMs = 1_000;
const collectEveryMs = 3_600_000;
const mostTries = 3;
/** Not found, and conflict. */
const lostRaces: ReadonlySet<number> = new Set([404, 409]);

export type SendToCore = (method: string, target: string, object?: object) => Promise<InternalAnswer>;

type Notes = Readonly<Record<string, string>>;

interface Lease {
  readonly metadata: {
    readonly name: string;
    readonly resourceVersion?: string;
    readonly uid?: string;
    readonly labels?: Notes;
    readonly annotations?: Notes;
  };
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly renewTime?: string;
  };
}

/** Identity of the API server that holds a lease. */
export interface ApiServerIdentity {
  readonly hostname: string;
  /** Number of this gateway on its host, from 1. */
  readonly instance: number;
  /** Host and port under which other API servers reach this one, if it is known. */
  readonly peerAddress?: string | undefined;
}

/**
 * Renews the Lease of this API server every ten seconds, and removes Leases of servers that are gone
 * (`pkg/controlplane/apiserver/server.go`, `pkg/controlplane/controller/apiserverleasegc`).
 */
export class IdentityLease {
  readonly #id: string;
  readonly #labels: Notes;
  readonly #annotations: Notes;
  readonly #holder: string;
  readonly #send: SendToCore;
  readonly #onError: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #collector: NodeJS.Timeout | undefined;
  #retryMs = firstRetryMs;
  #closed = false;

  constructor(
    { hostname, instance, peerAddress }: ApiServerIdentity,
    send: SendToCore,
    onError: (error: unknown) => void,
  ) {
    this.#id = apiServerId(hostname, instance);
    this.#labels = { [identityLabel]: 'kube-apiserver', 'kubernetes.io/hostname': hostname };
    this.#annotations = peerAddress === undefined ? {} : { [peerAnnotation]: peerAddress };
    this.#holder = `${this.#id}_${randomUUID()}`;
    this.#send = send;
    this.#onError = onError;
  }

  start(): void {
    void this.#renew();
  }

  /** Starts the removal of leases whose servers are gone. */
  startCollecting(): void {
    void this.#collect();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#collector);
  }

  async #renew(): Promise<void> {
    let pauseMs = renewEveryMs;
    try {
      await this.#write();
      this.#retryMs = firstRetryMs;
    } catch (error) {
      pauseMs = this.#retryMs;
      this.#retryMs = Math.min(2 * pauseMs, renewEveryMs);
      if (!this.#closed) this.#onError(error);
    }
    if (!this.#closed) this.#timer = setTimeout(() => void this.#renew(), pauseMs).unref();
  }

  /**
   * Writes the lease. After a long rest it has expired, and another gateway that starts at the same time may remove it
   * between the read and the write, or write first.
   */
  async #write(): Promise<void> {
    for (let tries = 1; ; tries++) {
      const { answer, expected } = await this.#tryWrite();
      if (answer.status === expected) return;
      if (tries >= mostTries || !lostRaces.has(answer.status)) return expectStatus(answer, expected);
    }
  }

  async #tryWrite(): Promise<{ readonly answer: InternalAnswer; readonly expected: number }> {
    const target = `${leases}/${this.#id}`;
    const present = await this.#send('GET', target);
    const spec = {
      holderIdentity: this.#holder,
      leaseDurationSeconds: durationSeconds,
      renewTime: microTime(new Date()),
    };
    if (present.status === 404) {
      const lease = {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: this.#id, namespace: 'kube-system', ...this.#notes() },
        spec,
      };
      return { answer: await this.#send('POST', leases, lease), expected: 201 };
    }
    expectStatus(present, 200);
    const lease = present.body as Lease;
    const answer = await this.#send('PUT', target, {
      ...lease,
      metadata: { ...lease.metadata, ...this.#notes(lease) },
      spec: { ...lease.spec, ...spec },
    });
    return { answer, expected: 200 };
  }

  /** Labels and annotations of the lease: those of this server, and existing ones that other clients set. */
  #notes(present?: Lease): { readonly labels: Notes; readonly annotations?: Notes } {
    const { labels, annotations } = present?.metadata ?? {};
    const all = { ...annotations, ...this.#annotations };
    return { labels: { ...labels, ...this.#labels }, ...(Object.keys(all).length === 0 ? {} : { annotations: all }) };
  }

  async #collect(): Promise<void> {
    let pauseMs = collectEveryMs;
    try {
      const list = await this.#send(
        'GET',
        `${leases}?labelSelector=${encodeURIComponent(`${identityLabel}=kube-apiserver`)}`,
      );
      expectStatus(list, 200);
      for (const lease of (list.body as { items: Lease[] }).items) {
        const { name, uid, resourceVersion } = lease.metadata;
        // The own one is renewed instead, when it has expired since the last run.
        if (name !== this.#id && isExpired(lease, Date.now()))
          await this.#send('DELETE', `${leases}/${encodeURIComponent(name)}`, {
            preconditions: { uid, resourceVersion },
          });
      }
    } catch (error) {
      pauseMs = renewEveryMs;
      if (!this.#closed) this.#onError(error);
    }
    if (!this.#closed) this.#collector = setTimeout(() => void this.#collect(), pauseMs).unref();
  }
}

/** Whether a lease has expired. One without renewTime or duration counts as expired: no server writes such a lease. */
export function isExpired({ spec }: Lease, nowMs: number): boolean {
  if (spec?.renewTime === undefined || spec.leaseDurationSeconds === undefined) return true;
  return Date.parse(spec.renewTime) + spec.leaseDurationSeconds * 1000 < nowMs;
}

function expectStatus({ status, body }: InternalAnswer, expected: number): void {
  if (status !== expected)
    throw new Error(
      `status ${status} instead of ${expected}: ${typeof body === 'string' ? body : JSON.stringify(body)}`,
    );
}

function microTime(date: Date): string {
  return date.toISOString().replace('Z', '000Z');
}
