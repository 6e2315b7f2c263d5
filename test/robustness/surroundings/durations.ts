import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { KubeconfigClient } from './kubeconfig-client.ts';

const events = '/api/v1/namespaces/default/events';
const watchSeconds = 8;
/** Of a server with `--event-ttl` of {@link eventTtl}. */
const ttlMs = 10_000;
export const eventTtl = '10s';
/** The store looks every half a second for leases that have ended. A busy machine takes longer. */
const slackMs = 5_000;

/**
 * Sets the clock of a server while watches and Events count down. Rejects when one of them ends at another time than it
 * should: a watch of eight seconds that is open then, and two Events, the second of which may share the lease of the
 * first.
 */
export async function countDown(kubeconfig: string, setClock: () => void): Promise<void> {
  const client = new KubeconfigClient(kubeconfig);
  const startedMs = performance.now();
  const watched = client.send('GET', `/api/v1/namespaces?watch=true&timeoutSeconds=${watchSeconds}`);
  const first = await makeEvent(client, 'first');
  // libfaketime looks at its file once a second.
  await pause(500);
  setClock();
  await watched;
  const watchMs = performance.now() - startedMs;
  assert.ok(
    watchMs >= watchSeconds * 1000 - 100 && watchMs < watchSeconds * 1000 + slackMs,
    `a watch of ${watchSeconds} s ended after ${Math.round(watchMs)} ms`,
  );
  const second = await makeEvent(client, 'second');
  await Promise.all([first, second].map((event) => event.judgeEnd()));
}

async function makeEvent(client: KubeconfigClient, name: string): Promise<{ judgeEnd(): Promise<void> }> {
  const madeMs = performance.now();
  const involvedObject = { kind: 'Namespace', name: 'default', namespace: 'default' };
  const { status, text } = await client.send('POST', events, { body: { metadata: { name }, involvedObject } });
  assert.equal(status, 201, text);
  return {
    async judgeEnd() {
      for (;;) {
        const { status: found } = await client.send('GET', `${events}/${name}`);
        const ageMs = performance.now() - madeMs;
        if (found === 404) return assert.ok(ageMs >= ttlMs - 100, `the ${name} Event is gone after ${ageMs} ms`);
        assert.ok(ageMs < ttlMs + slackMs, `the ${name} Event is there after ${ageMs} ms`);
        await pause(100);
      }
    },
  };
}
