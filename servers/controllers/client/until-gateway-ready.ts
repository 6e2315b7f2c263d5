import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from './api-client.ts';

const everyMs = 100;
/** Longer than a start takes. */
const quietMs = 10_000;

/**
 * Resolves when a gateway is ready. Tells every 10 s that none is.
 * @throws AbortError (as a rejection) when `signal` is aborted
 */
export async function untilGatewayReady(
  client: ApiClient,
  signal: AbortSignal,
  onWaiting: (why: unknown) => void,
): Promise<void> {
  let tellMs = performance.now() + quietMs;
  for (;;) {
    try {
      await client.text({ path: '/readyz', accept: 'text/plain', signal });
      return;
    } catch (error) {
      if (!signal.aborted && performance.now() > tellMs) {
        onWaiting(error);
        tellMs = performance.now() + quietMs;
      }
    }
    await sleep(everyMs, undefined, { signal });
  }
}
