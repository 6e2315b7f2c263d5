import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { http1Client, type Answer, type ApiClient } from '#test/api-client.ts';
import type { Cluster } from '#test/cluster.ts';

export interface Scenario {
  /** The etcd to start. */
  readonly program: string;
  /** For its data, and what else must not stay. */
  readonly folder: string;
  readonly say: (text: string) => void;
}

export const maps = '/api/v1/namespaces/default/configmaps';

/** Runs `work` with a client, which is closed afterwards. */
export async function withClient<T>(cluster: Cluster, work: (client: ApiClient) => Promise<T>): Promise<T> {
  const client = http1Client(cluster);
  try {
    return await work(client);
  } finally {
    client.close();
  }
}

export async function createMap(client: ApiClient, name: string, data: object = {}): Promise<Answer> {
  return await client.send('POST', maps, { body: { metadata: { name }, data } });
}

/** Creates objects until one is taken; the result is how long that took. */
export async function untilWritten(client: ApiClient, prefix: string, withinMs: number): Promise<number> {
  const started = performance.now();
  for (let count = 0; ; count++) {
    const { status, text } = await createMap(client, `${prefix}-${count}`);
    if (status === 201) return Math.round(performance.now() - started);
    assert.ok(status >= 500, `${status} ${text}`);
    assert.ok(performance.now() - started < withinMs, `no write within ${withinMs} ms: ${status} ${text}`);
    await sleep(20);
  }
}

export async function untilReady(client: ApiClient, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const { status, text } = await client.send('GET', '/readyz?verbose');
    if (status === 200) return;
    assert.ok(performance.now() < deadline, text);
    await sleep(50);
  }
}
