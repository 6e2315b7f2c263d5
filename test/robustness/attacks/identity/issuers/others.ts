import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { adminToken } from '#test/tokens.ts';
import type { Target } from './target.ts';

/** Whether latencies and memory are judged. */
export const withBounds = process.argv.includes('--bounds');
const everyMs = 20;

/** The milliseconds of the slowest of many requests while something else goes on. */
async function slowestWhile(ask: () => Promise<unknown>, work: () => Promise<unknown>): Promise<number> {
  const ending = new AbortController();
  let slowestMs = 0;
  const asking = (async () => {
    while (!ending.signal.aborted) {
      const startMs = performance.now();
      await ask();
      slowestMs = Math.max(slowestMs, performance.now() - startMs);
      await sleep(everyMs);
    }
  })();
  try {
    await work();
  } finally {
    ending.abort();
    await asking;
  }
  return slowestMs;
}

/** Runs an attack; fails if somebody else had to wait for longer than the machine explains. */
export async function undisturbed(target: Target, work: () => Promise<unknown>): Promise<void> {
  const slowestMs = await slowestWhile(() => target.ask('/api/v1/namespaces/default', adminToken), work);
  assert.ok(slowestMs < (withBounds ? 250 : 5000), `another request took ${Math.round(slowestMs)} ms`);
}
