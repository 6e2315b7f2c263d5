import { LatestAnswer } from '#gateway/polling/latest-answer.ts';
import { BackendPool } from '#gateway/proxy/backend-pool.ts';
import type { Backend } from '#gateway/proxy/backend.ts';
import { internalFetch, internalSend } from '#gateway/proxy/internal-request.ts';
import { inSlices, type Steps } from '#shared/apimachinery/slices/slices.ts';
import {
  internalType,
  readFamily,
  readInternalForm,
  type ProcessFamilies,
} from '#shared/observability/exposition/internal-form.ts';
import { mergeRuleOf, type Family } from '#shared/observability/metrics/family.ts';
import { MergedFamilies } from './merged-families.ts';

/** How long `/metrics` waits for a server that hangs. */
const patienceMs = 500;
/** Processes that are gone whose counts are kept apart; those of older ones are kept as one sum. */
const maxGone = 16;
/** Of so many processes within the sum it is known that they are, should they come back. */
const maxFolded = 1_000;

/**
 * Families of the servers behind the gateway, merged with its own as each says ({@link mergeRuleOf}): clients see
 * one server. Counts of processes that are gone are kept, so that no sum falls when a replica restarts.
 */
export class BackendMetrics {
  readonly #pools: readonly BackendPool[];
  #answers = new WeakMap<Backend, LatestAnswer<ProcessFamilies>>();
  /** The last families of each process, in the order in which they were seen last. */
  readonly #processes = new Map<string, ProcessFamilies>();
  #live = new Set<string>();
  #past = new MergedFamilies();
  /** The processes within the sum of the past, the oldest first. */
  readonly #folded = new Set<string>();
  #refreshing: Promise<void> | undefined;

  constructor(pools: readonly BackendPool[]) {
    this.#pools = pools;
  }

  /** Asks every server; one that hangs counts as before. */
  refresh(): Promise<void> {
    return (this.#refreshing ??= this.#ask().finally(() => (this.#refreshing = undefined)));
  }

  /** The families of all: those of which only the backends have some, too. */
  *merge(own: readonly Family[]): Steps<Family[]> {
    // All of one moment: another scrape may ask the servers anew before these steps have ended.
    const [processes, live, past] = [[...this.#processes.values()], this.#live, this.#past];
    const merged = new MergedFamilies();
    const isOwn = (family: Family): boolean => mergeRuleOf(family) === 'own';
    yield* merged.add(own.filter((family) => !isOwn(family)).map(readFamily));
    yield* merged.addMerged(past);
    for (const { processId, families } of processes) yield* merged.add(families, !live.has(processId));
    return [...own.filter(isOwn), ...merged.families()];
  }

  /** What is gone is forgotten; one that hangs goes on as before. */
  async reset(): Promise<void> {
    await Promise.allSettled(
      this.#usable().map((backend) => internalSend(new BackendPool(backend.address, [backend]), 'DELETE', '/metrics')),
    );
    await this.#refreshing;
    this.#answers = new WeakMap();
    this.#processes.clear();
    this.#folded.clear();
    this.#past = new MergedFamilies();
  }

  #usable(): Backend[] {
    return this.#pools.flatMap((pool) => pool.backends.filter(({ usable }) => usable));
  }

  async #ask(): Promise<void> {
    const backends = this.#usable();
    const answers = await Promise.all(backends.map(async (backend) => await this.#answerOf(backend).get()));
    const live = answers.flatMap(({ value }) => value ?? []);
    const past = await inSlices(this.#pastWithout(live.filter(({ processId }) => this.#folded.has(processId))));
    // At once, so that a scrape which is merged meanwhile counts each process once.
    this.#past = past;
    this.#live = new Set(live.map(({ processId }) => processId));
    for (const { processId } of live) this.#folded.delete(processId);
    for (const families of live) {
      this.#processes.delete(families.processId);
      this.#processes.set(families.processId, families);
    }
    await inSlices(this.#foldGone());
  }

  /** Adds the oldest processes that are gone to the sum of the past. */
  *#foldGone(): Steps<void> {
    const gone = [...this.#processes.values()].filter(({ processId }) => !this.#live.has(processId));
    const oldest = gone.slice(0, Math.max(0, gone.length - maxGone));
    if (oldest.length === 0) return;
    const past = new MergedFamilies();
    yield* past.addMerged(this.#past);
    for (const { families } of oldest) yield* past.add(families, true);
    // At once, so that a scrape which is merged meanwhile counts each process once.
    this.#past = past;
    for (const { processId } of oldest) {
      this.#processes.delete(processId);
      this.#folded.add(processId);
    }
    for (const processId of [...this.#folded].slice(0, Math.max(0, this.#folded.size - maxFolded)))
      this.#folded.delete(processId);
  }

  /**
   * The sum of the past, so that with processes which have come back the sum of all is what it was. What they counted
   * while they were away is not known to be new, and lost.
   */
  *#pastWithout(returned: readonly ProcessFamilies[]): Steps<MergedFamilies> {
    if (returned.length === 0) return this.#past;
    const past = new MergedFamilies();
    yield* past.addMerged(this.#past);
    for (const { families } of returned) yield* past.subtract(families);
    return past;
  }

  #answerOf(backend: Backend): LatestAnswer<ProcessFamilies> {
    let answer = this.#answers.get(backend);
    if (answer === undefined) {
      const alone = new BackendPool(backend.address, [backend]);
      answer = new LatestAnswer(async () => {
        const { body } = await internalFetch(alone, '/metrics', { accept: internalType });
        return await inSlices(readInternalForm(body));
      }, patienceMs);
      this.#answers.set(backend, answer);
    }
    return answer;
  }
}
