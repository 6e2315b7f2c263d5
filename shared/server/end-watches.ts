import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestContext } from '#shared/request/request-context.ts';
import { endExchange } from './http/end-exchange.ts';

/** Watches are ended at this rate at least. */
const leastPerSecond = 200;
const stepMs = 10;

/**
 * Ends the watches of clients one after the other, and waits until they are gone or the grace period is over. Their
 * rate is the reference's, so that clients do not all come back at once (`WatchRequestWaitGroup` in
 * apiserver/pkg/server/genericapiserver.go): so many a second that the grace period suffices, and at least 200.
 * @param watches those that are open now; they leave it when they have ended
 */
export async function endWatches(watches: () => RequestContext[], graceMs: number): Promise<void> {
  const began = performance.now();
  const open = watches();
  const perMs = Math.max(leastPerSecond / 1000, open.length / graceMs);
  for (let ended = 0; ended < open.length;) {
    const due = Math.min(open.length, Math.floor(1 + (performance.now() - began) * perMs));
    for (; ended < due; ended += 1) endExchange((open[ended] as RequestContext).exchange);
    if (ended < open.length) await sleep(stepMs);
  }
  while (watches().length > 0 && performance.now() - began < graceMs) await sleep(stepMs);
}
