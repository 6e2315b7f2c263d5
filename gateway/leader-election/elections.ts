import type { SendToCore } from '#gateway/identity/identity-lease.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { nextSlice } from '#shared/apimachinery/slices/slices.ts';
import { CacheFollower } from '#shared/follow/cache-follower.ts';
import { WorkQueue } from '#shared/follow/work-queue.ts';
import type { CacheEvent, CacheSnapshot, WatchCache } from '#shared/watchcache/watch-cache.ts';
import { Candidacies } from './candidacies.ts';
import { candidatePath, isCandidateExpired, owesAnswer } from './candidate.ts';
import { changedSpec, newLease, type Elected } from './elected-lease.ts';
import { electionStep } from './election-step.ts';
import { expectSuccess } from './expect-success.ts';
import { leasePath, leaseSpec } from './lease.ts';
import { microTime, nowMicros } from './micro-time.ts';

/** A lease is looked at again after this time, since nothing tells that its holder stopped renewing it. */
const repeatMs = 5_000;
const backOff = { firstMs: 500, longestMs: repeatMs };
const concurrency = 4;
/** Candidates that one turn of the event loop reads. */
const sliceSize = 100;

export interface ElectionsOptions {
  readonly leases: WatchCache;
  readonly candidates: WatchCache;
  readonly send: SendToCore;
  readonly onError: (error: unknown) => void;
}

/**
 * Elects the holders of the Leases for which there are LeaseCandidates, as long as this server is the one that does so
 * (`pkg/controlplane/controller/leaderelection`).
 */
export class Elections {
  readonly #options: ElectionsOptions;
  readonly #candidacies = new Candidacies();
  readonly #queue: WorkQueue;
  readonly #followers: readonly CacheFollower[];

  constructor(options: ElectionsOptions) {
    this.#options = options;
    const { leases, candidates, onError } = options;
    this.#queue = new WorkQueue({
      name: 'leader_election_controller',
      work: (key) => this.#step(key),
      backOff,
      repeatMs,
      concurrency,
      onError,
    });
    this.#followers = [
      new CacheFollower({
        cache: candidates,
        onState: (snapshot) => this.#replaceCandidates(snapshot),
        onEvents: (events) => this.#changeCandidates(events),
      }),
      new CacheFollower({
        cache: leases,
        onState: () => this.#addAll(),
        onEvents: (events) => this.#leasesChanged(events),
      }),
    ];
  }

  start(): void {
    // Followers try again by themselves.
    for (const follower of this.#followers) follower.ready().catch(this.#options.onError);
  }

  close(): void {
    for (const follower of this.#followers) follower.close();
    this.#queue.close();
  }

  async #replaceCandidates(snapshot: CacheSnapshot): Promise<void> {
    this.#candidacies.clear();
    let count = 0;
    for (const entry of snapshot.entries('/')) {
      this.#candidacies.set(entry);
      if (++count % sliceSize === 0) await nextSlice();
    }
    this.#addAll();
  }

  #changeCandidates(events: readonly CacheEvent[]): void {
    for (const { type, entry } of events) {
      const before = this.#candidacies.delete(entry);
      if (type === 'DELETED') {
        if (before !== undefined) this.#queue.add(before);
        continue;
      }
      const { key, candidate } = this.#candidacies.set(entry);
      // After the question to a candidate, the election goes on with its answer.
      if (!owesAnswer(candidate)) this.#queue.add(key);
    }
  }

  #leasesChanged(events: readonly CacheEvent[]): void {
    for (const { entry } of events) {
      const key = `${entry.namespace}/${entry.name}`;
      if (this.#candidacies.has(key)) this.#queue.add(key);
    }
  }

  #addAll(): void {
    for (const key of this.#candidacies.keys()) this.#queue.add(key);
  }

  /** Takes one step of the election for a lease, named by `namespace/name`. */
  async #step(key: string): Promise<void> {
    const now = nowMicros();
    const candidates = this.#candidacies.of(key).filter((candidate) => !isCandidateExpired(candidate, now));
    const slash = key.indexOf('/');
    const [namespace, name] = [key.slice(0, slash), key.slice(slash + 1)];
    if (candidates.length === 0) return this.#queue.forget(key);
    const { leases, send } = this.#options;
    await leases.waitForCurrent();
    const lease = this.#leaseOf(namespace, name);
    const step = electionStep(candidates, lease === undefined ? undefined : leaseSpec(lease), now);
    if (step.kind === 'wait') return;
    if (step.kind === 'elect') return this.#elect(namespace, name, step, now);
    await Promise.all(
      step.candidates.map(async (candidate) => {
        const change = { metadata: { resourceVersion: candidate.resourceVersion }, spec: { pingTime: microTime(now) } };
        expectSuccess(await send('PATCH', candidatePath(namespace, candidate.name), change));
      }),
    );
  }

  async #elect(namespace: string, name: string, elected: Elected, now: number): Promise<void> {
    const { send } = this.#options;
    const created = await send('POST', leasePath(namespace), newLease(namespace, name, elected, now));
    if (created.status !== 409) return expectSuccess(created);
    const target = leasePath(namespace, name);
    const present = await send('GET', target);
    expectSuccess(present);
    const lease = present.body as KubeObject;
    const { resourceVersion } = lease.metadata;
    const spec = changedSpec(leaseSpec(lease), elected, now);
    if (spec !== undefined) expectSuccess(await send('PATCH', target, { metadata: { resourceVersion }, spec }));
  }

  #leaseOf(namespace: string, name: string): KubeObject | undefined {
    const entry = this.#options.leases.get(`/leases/${namespace}/${name}`);
    return entry === undefined ? undefined : (JSON.parse(entry.json.toString('utf8')) as KubeObject);
  }
}
