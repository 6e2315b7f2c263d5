import type { RequestContext } from '#shared/request/request-context.ts';

/** How many bytes may wait for clients before clients that read nothing are dropped. */
const maxBytes = 128 * 1024 * 1024;
/** A client that read nothing for this long counts as slow; shorter waits happen in bursts. */
const patienceMs = 5_000;

interface Waiting {
  readonly sinceMs: number;
  readonly bytes: number;
}

/**
 * Answers that wait in memory for their clients. Back-pressure bounds each answer; this class bounds their sum: above
 * the limit it drops stalled answers, those of the user with the most bytes first.
 */
export class QueuedAnswers {
  readonly #mostBytes: number;
  #standing = new Map<RequestContext, Waiting>();

  constructor(limit = maxBytes) {
    this.#mostBytes = limit;
  }

  /** Checks all unfinished requests; to be called about once a second. */
  check(groups: readonly Iterable<RequestContext>[], nowMs: number): void {
    const standing = new Map<RequestContext, Waiting>();
    let total = 0;
    for (const group of groups) {
      for (const context of group) {
        const bytes = context.exchange.queuedBytes;
        if (bytes === 0) continue;
        total += bytes;
        const before = this.#standing.get(context);
        // An unchanged size means that the client has read nothing, apart from rare coincidences.
        standing.set(context, before?.bytes === bytes ? before : { sinceMs: nowMs, bytes });
      }
    }
    this.#standing = standing;
    if (total > this.#mostBytes) this.#drop(total, nowMs);
  }

  #drop(total: number, nowMs: number): void {
    const byUser = new Map<string, { bytes: number; contexts: RequestContext[] }>();
    for (const [context, { sinceMs, bytes }] of this.#standing) {
      if (nowMs - sinceMs < patienceMs) continue;
      const { name } = context.user;
      const user = byUser.get(name) ?? { bytes: 0, contexts: [] };
      if (user.contexts.length === 0) byUser.set(name, user);
      user.bytes += bytes;
      user.contexts.push(context);
    }
    for (const { contexts } of [...byUser.values()].toSorted((one, other) => other.bytes - one.bytes)) {
      for (const context of contexts) {
        if (total <= this.#mostBytes) return;
        total -= this.#standing.get(context)?.bytes ?? 0;
        this.#standing.delete(context);
        context.exchange.dropClient();
      }
    }
  }
}
