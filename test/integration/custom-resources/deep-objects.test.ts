import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { http2Client, type ApiClient } from '#test/api-client.ts';
import { killProcess, processOf, untilAllReady } from '#test/cluster-processes.ts';
import { startCluster, type Cluster } from '#test/cluster.ts';

// JSON of clients may be 10,000 levels deep, as Go reads it: through all processes and back, and again after a restart.

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const things = '/apis/deep.example.com/v1/namespaces/default/things';
const apply = { 'content-type': 'application/apply-patch+yaml' };
const merge = { 'content-type': 'application/merge-patch+json' };
const table = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };

let cluster: Cluster;
let client: ApiClient;
before(async () => {
  cluster = await startCluster({ readyWithinMs: 60_000 });
  client = http2Client(cluster);
  const schema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: { size: { type: 'integer' }, any: { 'x-kubernetes-preserve-unknown-fields': true } },
      },
    },
  };
  const names = { plural: 'things', kind: 'Thing' };
  const columns = [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }];
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: schema },
    additionalPrinterColumns: columns,
  };
  const created = await client.send('POST', definitions, {
    body: {
      metadata: { name: 'things.deep.example.com' },
      spec: { group: 'deep.example.com', scope: 'Namespaced', names, versions: [version] },
    },
  });
  assert.equal(created.status, 201);
});
after(async () => {
  client.close();
  await cluster.close();
});

const lists = (depth: number): string => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
const objects = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

function thing(name: string, any: string, size = 1): string {
  return `{"apiVersion":"deep.example.com/v1","kind":"Thing","metadata":{"name":"${name}"},"spec":{"any":${any},"size":${size}}}`;
}

async function send(
  method: string,
  path: string,
  body?: string,
  headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' },
): Promise<{ status: number; text: string }> {
  return client.send(method, path, { headers, ...(body === undefined ? {} : { body }) });
}

/** The object is there, deep as it is, whichever way it is asked for. */
async function isThere(name: string, any: string): Promise<void> {
  const spec = `"spec":{"any":${any},"size":`;
  for (const path of [`${things}/${name}`, `${things}?fieldSelector=metadata.name%3D${name}`]) {
    const { status, text } = await send('GET', path);
    assert.equal(status, 200);
    assert.ok(text.includes(spec), `${path} has another spec`);
  }
  assert.equal((await send('GET', `${things}/${name}`, undefined, table)).status, 200);
  const watch = await client.open(`${things}?watch=1&fieldSelector=metadata.name%3D${name}`);
  const [event = ''] = await watch.until(1);
  watch.close();
  assert.ok(event.startsWith('{"type":"ADDED"') && event.includes(spec), 'the watch tells another spec');
}

describe('deeply nested custom resources', () => {
  for (const [name, any] of [
    ['objects', objects(3000)],
    ['lists', lists(9000)],
  ] as const) {
    test(`pass through every kind of write: ${name}`, async () => {
      assert.equal((await send('POST', things, thing(name, any))).status, 201);
      await isThere(name, any);
      assert.equal((await send('PATCH', `${things}/${name}`, '{"spec":{"size":2}}', merge)).status, 200);
      assert.equal((await send('PATCH', `${things}/${name}`, `{"spec":{"any":${any}}}`, merge)).status, 200);
      assert.equal(
        (
          await send(
            'PATCH',
            `${things}/${name}`,
            `[{"op":"test","path":"/spec/any","value":${any}},{"op":"replace","path":"/spec/size","value":3}]`,
            { 'content-type': 'application/json-patch+json' },
          )
        ).status,
        200,
      );
      assert.equal(
        (await send('PATCH', `${things}/${name}?fieldManager=one&force=true`, thing(name, any, 4), apply)).status,
        200,
      );
      assert.equal(
        (await send('PATCH', `${things}/${name}-applied?fieldManager=one`, thing(`${name}-applied`, any), apply))
          .status,
        201,
      );
      assert.equal(
        (await send('POST', things, thing(`${name}-yaml`, any), { 'content-type': 'application/yaml' })).status,
        201,
      );
      assert.equal((await send('DELETE', `${things}/${name}-yaml`)).status, 200);
      const { text } = await send('GET', `${things}/${name}`);
      assert.equal((await send('PUT', `${things}/${name}`, text.replace('"size":4', '"size":5'))).status, 200);
      await isThere(name, any);
    });
  }

  test('keep 9,000 nested objects over a restart of the extensions server', async () => {
    assert.equal((await send('POST', things, thing('deepest', objects(9000)))).status, 201);
    const pid = processOf(cluster, 'extensions') ?? 0;
    killProcess(cluster, 'extensions');
    await untilAllReady(cluster, 'extensions', 1, pid);
    // The gateway learns of it a moment later.
    while ((await send('GET', things)).status === 503) await sleep(20);
    await isThere('deepest', objects(9000));
    await isThere('objects', objects(3000));
    await isThere('lists', lists(9000));
    for (const name of ['deepest', 'objects', 'lists', 'objects-applied', 'lists-applied'])
      assert.equal((await send('DELETE', `${things}/${name}`)).status, 200);
  });

  test("answer the reference's errors beyond 10,000 levels", async () => {
    const message = async (
      method: string,
      path: string,
      body: string,
      headers?: Readonly<Record<string, string>>,
    ): Promise<string> => {
      const { status, text } = await send(method, path, body, headers);
      return `${status} ${String((JSON.parse(text) as { message: unknown }).message)}`;
    };
    const unrecognized = 'the object provided is unrecognized (must be of type Thing):';
    const [json, yaml] = [thing('a', lists(9999)), { 'content-type': 'application/yaml' }];
    assert.equal(
      await message('POST', things, json),
      `400 ${unrecognized} couldn't get version/kind; json parse error: invalid character '[' exceeded max depth (${json.slice(0, 30)} ...)`,
    );
    assert.equal(
      await message('POST', things, json, yaml),
      `400 ${unrecognized} yaml: exceeded max depth of 10000 (${json.slice(0, 30)} ...)`,
    );
    assert.equal(
      await message('PATCH', `${things}/a?fieldManager=one`, json, apply),
      '400 error decoding YAML: error converting YAML to JSON: yaml: exceeded max depth of 10000',
    );
    assert.equal(
      await message('POST', things, thing('a', objects(9996))),
      "500 invalid character '{' exceeded max depth",
    );
  });
});
