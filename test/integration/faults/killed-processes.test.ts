import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { http1Client, http2Client } from '#test/api-client.ts';
import type { ApiClient } from '#test/api-client.ts';
import { killProcess } from '#test/cluster-processes.ts';
import type { ProcessName } from '#test/cluster-processes.ts';
import { startCluster } from '#test/cluster.ts';
import type { Cluster } from '#test/cluster.ts';

// A process dies in the midst of writes: what was acknowledged is there, nothing happens twice, nothing hangs, and the
// system is itself again without anybody's help.

const maps = '/api/v1/namespaces/default/configmaps';
const writers = 8;
const recoversWithinMs = 15_000;

let cluster: Cluster;
before(async () => {
  cluster = await startCluster();
});
after(async () => {
  await cluster.close();
});

/** Clients that each create one object after the other, every name once. */
class Writers {
  readonly acknowledged = new Set<string>();
  readonly twice: string[] = [];
  readonly odd: string[] = [];
  slowestMs = 0;
  #stopped = false;
  /** The request of each client that is under way. */
  readonly #underWay: Promise<void>[] = [];
  readonly #running: Promise<void>[];

  constructor(prefix: string) {
    this.#running = Array.from({ length: writers }, (_, index) => this.#write(`${prefix}-${index}`, index));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running);
  }

  /** Resolves when what was under way at the call has ended, one way or the other. */
  async through(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  async #write(prefix: string, index: number): Promise<void> {
    let client = this.#client(index);
    for (let count = 0; !this.#stopped; count++) {
      const started = performance.now();
      const request = this.#create(client, `${prefix}-${count}`);
      this.#underWay[index] = request;
      try {
        await request;
      } catch {
        client.close();
        await sleep(20);
        client = this.#client(index);
      }
      this.slowestMs = Math.max(this.slowestMs, performance.now() - started);
    }
    client.close();
  }

  async #create(client: ApiClient, name: string): Promise<void> {
    const { status, headers, text } = await client.send('POST', maps, { body: { metadata: { name } } });
    if (status === 201) this.acknowledged.add(name);
    else if (status === 409) this.twice.push(name);
    else if (status < 500) this.odd.push(`${status} ${text}`);
    else if (headers['retry-after'] !== undefined) await this.#mayBeRepeated(client, name);
  }

  /** What clients do at Retry-After, at once. */
  async #mayBeRepeated(client: ApiClient, name: string): Promise<void> {
    await sleep(20);
    const { status } = await client.send('POST', maps, { body: { metadata: { name } } });
    if (status === 409) this.twice.push(`${name} (at Retry-After)`);
    else if (status === 201) this.acknowledged.add(name);
  }

  #client(index: number): ApiClient {
    return index % 2 === 0 ? http1Client(cluster) : http2Client(cluster);
  }
}

describe('cluster whose process is killed', () => {
  for (const victim of ['store', 'core', 'gateway'] as const satisfies readonly ProcessName[]) {
    test(`loses no acknowledged write and repeats none when ${victim} is killed under load`, async (t) => {
      const load = new Writers(victim);
      while (load.acknowledged.size < 50) await sleep(10);
      killProcess(cluster, victim);
      const killedAt = performance.now();
      // Acknowledged from here on is by the new process.
      await load.through();
      const before = load.acknowledged.size;
      while (load.acknowledged.size < before + 50) {
        assert.ok(
          performance.now() - killedAt < recoversWithinMs,
          `writes go on within ${recoversWithinMs} ms; ${cluster.output()}`,
        );
        await sleep(10);
      }
      t.diagnostic(
        `writes went on ${Math.round(performance.now() - killedAt)} ms after; slowest request ${Math.round(load.slowestMs)} ms; ${load.acknowledged.size} acknowledged`,
      );
      await load.stop();
      assert.deepEqual(load.twice, []);
      assert.deepEqual(load.odd, []);
      assert.ok(load.slowestMs < recoversWithinMs);
      const client = http1Client(cluster);
      const { json } = await client.send('GET', maps);
      const stored = new Set(
        (json as { items: { metadata: { name: string } }[] }).items.map(({ metadata }) => metadata.name),
      );
      assert.deepEqual(
        [...load.acknowledged].filter((name) => !stored.has(name)),
        [],
        'everything acknowledged is there',
      );
      let ready = await client.send('GET', '/readyz?verbose');
      while (ready.status !== 200 && performance.now() - killedAt < recoversWithinMs)
        ready = await client.send('GET', '/readyz?verbose');
      assert.equal(ready.status, 200, ready.text);
      client.close();
    });
  }

  test('continues a watch without a gap when the store is killed', async () => {
    const client = http2Client(cluster);
    const { json } = await client.send('GET', `${maps}?limit=1`);
    const watch = await client.open(
      `${maps}?watch=1&resourceVersion=${(json as { metadata: { resourceVersion: string } }).metadata.resourceVersion}`,
    );
    for (const name of ['watched-1', 'watched-2'])
      assert.equal((await client.send('POST', maps, { body: { metadata: { name } } })).status, 201);
    killProcess(cluster, 'store');
    let status = 0;
    while (status !== 201)
      ({ status } = await client.send('POST', maps, { body: { metadata: { name: 'watched-3' } } }));
    const lines = await watch.until(3);
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { object: { metadata: { name: string } } }).object.metadata.name),
      ['watched-1', 'watched-2', 'watched-3'],
    );
    client.close();
  });
});
