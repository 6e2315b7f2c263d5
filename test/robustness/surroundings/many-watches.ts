import assert from 'node:assert/strict';
import { Agent, request } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { KubeconfigClient } from './kubeconfig-client.ts';
import type { RunningServer } from './surrounding.ts';

const target = '/api/v1/namespaces?watch=true';
/** Longer than the processes take between two looks at their memory. */
const holdMs = 22_000;
const askEveryMs = 500;

/**
 * Opens so many watches, each on a connection of its own, that the server runs out of descriptors, and holds them.
 * Rejects when a connection that was open before is not served meanwhile, or when a process of the server ends.
 */
export async function holdWatches(server: RunningServer, count: number): Promise<void> {
  const client = new KubeconfigClient(server.kubeconfig);
  const open = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async (): Promise<void> => {
    const { status, text } = await client.send('GET', '/api/v1/namespaces/default', { agent: open });
    assert.equal(status, 200, `a connection that was open before: ${text}`);
  };
  await ask();
  const watches = Array.from({ length: count }, () =>
    request(`${client.server}${target}`, { ...client.credentials, agent: false })
      // What is refused is not watched; the server decides which.
      .on('error', () => undefined)
      .on('response', (response) => response.on('error', () => undefined).resume())
      .end(),
  );
  try {
    for (const startedMs = performance.now(); performance.now() - startedMs < holdMs; await pause(askEveryMs))
      await ask();
  } finally {
    for (const watch of watches) watch.destroy();
    open.destroy();
  }
  assert.doesNotMatch(server.output(), /ended|uncaught/, server.output());
}
