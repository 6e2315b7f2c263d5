import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { http1Client, http2Client } from '#test/api-client.ts';
import { killProcess, processOf } from '#test/cluster-processes.ts';
import { startCluster } from '#test/cluster.ts';
import type { Cluster } from '#test/cluster.ts';

const maps = '/api/v1/namespaces/default/configmaps';

let cluster: Cluster;
before(async () => {
  cluster = await startCluster();
});
after(async () => {
  await cluster.close();
});

describe('outages', () => {
  test("answer 503 on the paths of a killed core, serve the gateway's own, and end by themselves", async () => {
    const client = http2Client(cluster);
    const watch = await client.open(`${maps}?watch=1`);
    killProcess(cluster, 'core');
    assert.equal(await watch.ended, false, 'a watch whose server died is cut off, not ended');
    let away = await client.send('GET', maps);
    for (let tries = 0; away.status === 200 && tries < 100; tries++) away = await client.send('GET', maps);
    assert.deepEqual([away.status, away.json.reason, away.json.kind], [503, 'ServiceUnavailable', 'Status']);
    assert.equal(away.headers['retry-after'], '1');
    assert.equal((await client.send('GET', '/apis/apiregistration.k8s.io/v1/apiservices')).status, 200);
    assert.equal((await client.send('GET', '/livez')).status, 200);
    const red = await client.send('GET', '/readyz');
    assert.equal(red.status, 500);
    assert.match(red.text, /^\[-\]core failed: reason withheld$/m);
    const groups = await client.send('GET', '/apis');
    assert.ok(
      (groups.json.groups as { name: string }[]).some(({ name }) => name === 'apps'),
      'discovery still tells what core serves',
    );
    while ((await client.send('GET', maps)).status !== 200) await sleep(20);
    while ((await client.send('GET', '/readyz')).status !== 200) await sleep(20);
    client.close();
  });

  test('log which process ended and that it starts again', async () => {
    const before = processOf(cluster, 'gateway');
    killProcess(cluster, 'gateway');
    while (!/gateway ended \(SIGKILL\), starting it again in \d+ ms/.test(cluster.output())) await sleep(10);
    let answered = false;
    while (!answered) {
      const client = http1Client(cluster);
      answered = await client.send('GET', '/readyz').then(
        ({ status }) => status === 200,
        () => false,
      );
      client.close();
      if (!answered) await sleep(20);
    }
    assert.notEqual(processOf(cluster, 'gateway'), before);
  });
});

describe('shutdown', () => {
  test('finishes requests in flight, ends watches cleanly, and takes less than 5 s', async () => {
    const ending = await startCluster();
    try {
      const client = http2Client(ending);
      const watch = await client.open(`${maps}?watch=1`);
      const { hostname, port } = new URL(ending.url);
      const file = (name: string): Buffer => readFileSync(join(ending.pki, name));
      const body = JSON.stringify({ metadata: { name: 'in-flight' } });
      const slow = request({
        host: hostname,
        port,
        method: 'POST',
        path: maps,
        agent: false,
        ca: file('ca.crt'),
        cert: file('admin.crt'),
        key: file('admin.key'),
        headers: { 'content-type': 'application/json', 'content-length': body.length },
      });
      const answered = once(slow, 'response');
      slow.write(body.slice(0, 5));
      // The server has begun with it when a later request is answered.
      while ((await client.send('GET', '/healthz')).status !== 200) await sleep(10);
      await sleep(100);
      const started = performance.now();
      const closed = ending.close();
      await sleep(100);
      slow.end(body.slice(5));
      const [response] = (await answered) as [{ statusCode: number; resume(): void }];
      response.resume();
      assert.equal(response.statusCode, 201);
      assert.equal(await watch.ended, true);
      await closed;
      assert.ok(performance.now() - started < 5_000);
      client.close();
    } finally {
      await ending.close();
    }
  });
});
