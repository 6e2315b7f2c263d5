import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { http2Client, type ApiClient } from '#test/api-client.ts';
import { startCluster, type Cluster } from '#test/cluster.ts';

// Two extensions servers behind a gateway: whichever answers knows what is defined.

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const withinMs = 200;
/** Other tests run at the same time: one round of them all must have had the machine. */
const rounds = 20;
let cluster: Cluster;
let client: ApiClient;
before(async () => {
  cluster = await startCluster({ flags: ['--extensions-replicas', '2'], readyWithinMs: 60_000 });
  client = http2Client(cluster);
});
after(async () => {
  client.close();
  await cluster.close();
});

function definition(group: string): object {
  const schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { size: { type: 'integer', maximum: 3, default: 2 } } } },
  };
  const spec = {
    group,
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  };
  return { metadata: { name: `things.${group}` }, spec };
}

/** Enough requests at once that both servers get some. */
function eightTimes<T>(work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: 8 }, (_, index) => work(index)));
}

describe('two extensions servers', () => {
  test("apply a new definition's schema to the first requests after its 201, within 200 ms", async (t) => {
    const slowest: number[] = [];
    for (let round = 0; round < rounds && Math.min(...slowest) >= withinMs; round++) {
      const group = `first${round}.example.com`;
      const things = `/apis/${group}/v1/namespaces/default/things`;
      const created = await client.send('POST', definitions, { body: definition(group) });
      assert.equal(created.status, 201, created.text);
      const start = performance.now();
      const answers = await eightTimes(async (index) => {
        const answer = await client.send('POST', things, {
          body: {
            apiVersion: `${group}/v1`,
            kind: 'Thing',
            metadata: { name: `thing-${index}` },
            spec: index % 2 === 0 ? {} : { size: 4 },
          },
        });
        return { ...answer, index, ms: performance.now() - start };
      });
      slowest.push(Math.max(...answers.map(({ ms }) => ms)));
      for (const { index, status, text } of answers) {
        assert.equal(status, index % 2 === 0 ? 201 : 422, text);
        assert.match(text, index % 2 === 0 ? /"size":2/ : /spec\.size in body should be less than or equal to 3/);
      }
    }
    t.diagnostic(`the slowest of eight first requests: ${slowest.map((ms) => `${ms.toFixed(0)} ms`).join(', ')}`);
    assert.ok(Math.min(...slowest) < withinMs, `${slowest.join()} ms`);
  });

  test('enforce object count quotas whichever server creates the objects', async () => {
    const group = 'counted.example.com';
    const things = `/apis/${group}/v1/namespaces/counted/things`;
    const counted = `count/things.${group}`;
    const quotas = '/api/v1/namespaces/counted/resourcequotas';
    const make = (name: string, query = ''): Promise<number> =>
      client
        .send('POST', things + query, { body: { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name } } })
        .then(({ status }) => status);
    const allow = async (most: string): Promise<void> => {
      const { json } = await client.send('GET', `${quotas}/few`);
      assert.equal(
        (
          await client.send('PUT', `${quotas}/few/status`, {
            body: { ...json, status: { hard: { [counted]: most }, used: { [counted]: '0' } } },
          })
        ).status,
        200,
      );
    };
    assert.equal((await client.send('POST', definitions, { body: definition(group) })).status, 201);
    assert.equal(
      (await client.send('POST', '/api/v1/namespaces', { body: { metadata: { name: 'counted' } } })).status,
      201,
    );
    assert.equal(
      (await client.send('POST', quotas, { body: { metadata: { name: 'few' }, spec: { hard: { [counted]: '3' } } } }))
        .status,
      201,
    );
    // Servers learn of a quota as of anything else: none is used before both know it.
    await allow('0');
    while (!(await eightTimes(() => make('probe', '?dryRun=All'))).every((status) => status === 403)) await sleep(10);
    await allow('3');
    const made: number[] = [];
    while (made.filter((status) => status === 201).length < 3)
      made.push(...(await Promise.all([0, 1].map((index) => make(`thing-${made.length + index}`)))));
    const answers = await eightTimes((index) =>
      client.send('POST', things, {
        body: { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name: `late-${index}` } },
      }),
    );
    for (const { text, status } of answers)
      assert.ok(
        status === 403 &&
          text.includes(`exceeded quota: few, requested: ${counted}=1, used: ${counted}=3, limited: ${counted}=3`),
        text,
      );
    assert.equal((await client.send('GET', `${quotas}/few`)).json.status.used[counted], '3');
    assert.equal((await client.send('GET', things)).json.items.length, 3);
  });

  test('serve nothing of a deleted definition, neither its objects nor its group', async () => {
    const group = 'gone.example.com';
    const things = `/apis/${group}/v1/namespaces/default/things`;
    assert.equal((await client.send('POST', definitions, { body: definition(group) })).status, 201);
    await eightTimes((index) =>
      client.send('POST', things, {
        body: { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name: `thing-${index}` } },
      }),
    );
    assert.equal((await client.send('DELETE', `${definitions}/things.${group}`)).status, 200);
    const refused = await client.send('POST', things, {
      body: { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name: 'late' } },
    });
    assert.ok(refused.status === 403 || refused.status === 404 || refused.status === 405, refused.text);
    while ((await client.send('GET', `${definitions}/things.${group}`)).status !== 404) await sleep(10);
    // The server that did not remove it learns of it as of anything else; until then it has the resource, but nothing in
    // it.
    let answers;
    do {
      answers = await eightTimes((index) => client.send('GET', index % 2 === 0 ? things : `${things}/thing-${index}`));
      for (const answer of answers)
        assert.ok(answer.status === 404 || (answer.json as { items?: unknown[] }).items?.length === 0, answer.text);
    } while (!answers.every(({ status }) => status === 404));
  });

  test('start a definition that is created again without objects', async () => {
    const group = 'again.example.com';
    const things = `/apis/${group}/v1/namespaces/default/things`;
    for (let round = 0; round < 2; round++) {
      const created = await client.send('POST', definitions, { body: definition(group) });
      assert.equal(created.status, 201, created.text);
      const lists = await eightTimes(() => client.send('GET', things));
      assert.deepEqual(
        lists.map(({ json }) => (json as { items?: unknown[] }).items?.length),
        lists.map(() => 0),
      );
      await client.send('POST', things, {
        body: { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name: 'a' } },
      });
      assert.equal((await client.send('DELETE', `${definitions}/things.${group}`)).status, 200);
      while ((await client.send('GET', `${definitions}/things.${group}`)).status !== 404) await sleep(10);
    }
  });
});
