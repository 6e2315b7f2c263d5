import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { customResources, definition, version } from './testing-definition.ts';

const wids = '/apis/example.com/v1/namespaces/default/wids';
const widsV2 = '/apis/example.com/v2/namespaces/default/wids';
const name = 'wids.example.com';

function wid(
  apiVersion: string,
  spec: Record<string, unknown>,
  metadata: Record<string, unknown> = { name: 'a' },
): object {
  return { apiVersion: `example.com/${apiVersion}`, kind: 'Wid', metadata, spec };
}

describe('custom resources', () => {
  test('are pruned, defaulted and printed with sorted keys', async () => {
    const { server, definitions } = customResources();
    definitions.put(definition('1', [version('v1')]));
    const made = await server.send('POST', wids, wid('v1', { z: 1, unknown: 2, b: [1] }));
    assert.equal(made.status, 201);
    assert.deepEqual(made.warnings, ['unknown field "spec.unknown"']);
    assert.match(
      made.text,
      /^\{"apiVersion":"example\.com\/v1","kind":"Wid","metadata":\{"creationTimestamp":".*"\},"spec":\{"b":\[1\],"mode":"v1","z":1\}\}\n$/,
    );
    assert.equal((await server.send('GET', `${wids}/a`)).text, made.text);
    const list = await server.send('GET', wids);
    assert.equal(
      list.text,
      `{"apiVersion":"example.com/v1","items":[${made.text.trim()}],"kind":"WidList","metadata":{"continue":"","resourceVersion":"${(list.body['metadata'] as { resourceVersion: string }).resourceVersion}"}}\n`,
    );
    server.close();
  });

  test('fail reads of an object that cannot be decoded, name the command that removes it, and serve the others', async () => {
    const { server, definitions, reported } = customResources();
    definitions.put(definition('1', [version('v1')]));
    await server.storage.create('/example.com/wids/default/bad', Buffer.from('{"apiVersion'));
    const made = await server.send('POST', wids, wid('v1', {}));
    const { name } = made.body['metadata'] as { name: string };
    assert.equal((await server.send('GET', `${wids}/${name}`)).status, 200);
    for (const path of [wids, `${wids}/bad`]) assert.equal((await server.send('GET', path)).status, 500, path);
    assert.equal(reported.length, 1);
    assert.match(reported[0] ?? '', /quarterdeck store delete \/example\.com\/wids\/default\/bad/);
    server.close();
  });

  test('report duplicate fields, unknown metadata, then unknown fields under strict validation', async () => {
    const { server, definitions } = customResources();
    definitions.put(definition('1', [version('v1')]));
    const body =
      '{"apiVersion":"example.com/v1","kind":"Wid","metadata":{"name":"a","name":"b","bog":1},"spec":{"unknown":1,"q":[{"z":1,"z":2}]}}';
    const refused = await server.send('POST', `${wids}?fieldValidation=Strict`, body);
    assert.equal(
      refused.body['message'],
      'Wid in version "v1" cannot be handled as a Wid: strict decoding error: duplicate field "metadata.name", duplicate field "spec.q[0].z", unknown field "metadata.bog", unknown field "spec.unknown"',
    );
    server.close();
  });

  test('accept unknown metadata as deep as a body may be', async () => {
    const { server, definitions } = customResources();
    definitions.put(definition('1', [version('v1')]));
    const deep = `${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`;
    const made = await server.send(
      'POST',
      wids,
      `{"apiVersion":"example.com/v1","kind":"Wid","metadata":{"name":"a","deep":${deep}}}`,
    );
    assert.deepEqual([made.status, made.warnings], [201, ['unknown field "metadata.deep"']]);
    server.close();
  });

  test("refuse bodies of another kind or version with the reference's messages", async () => {
    const { server, definitions } = customResources();
    definitions.put(definition('1', [version('v1')]));
    const message = async (body: object | string): Promise<unknown> =>
      (await server.send('POST', wids, body)).body['message'];
    assert.equal(
      await message({ ...wid('v1', {}), kind: 'Other' }),
      'Other.example.com "a" is invalid: kind: Invalid value: "Other": must be Wid',
    );
    assert.equal(
      await message(wid('v9', {})),
      'the API version in the data (example.com/v9) does not match the expected API version (example.com/v1)',
    );
    assert.equal(
      await message('{"kind":"Wid"}'),
      'the API version in the data () does not match the expected API version (example.com/v1)',
    );
    assert.equal(
      await message('{}'),
      "the object provided is unrecognized (must be of type Wid): Object 'Kind' is missing in '{}' ({})",
    );
    server.close();
  });

  test("are converted to another served version by name, with the stored version's defaults", async () => {
    const { server, definitions } = customResources();
    definitions.put(definition('1', [version('v1'), version('v2', { deprecated: true })]));
    await server.send('POST', wids, wid('v1', { onlyV1: 1, both: 2 }));
    const read = await server.send('GET', `${widsV2}/a`);
    assert.equal(read.body['apiVersion'], 'example.com/v2');
    assert.deepEqual(read.body['spec'], { both: 2, mode: 'v1' });
    assert.deepEqual(read.warnings, ['example.com/v2 Wid is deprecated']);
    const made = await server.send('POST', widsV2, wid('v2', { both: 1 }, { name: 'b' }));
    assert.deepEqual(made.body['spec'], { both: 1, mode: 'v2' });
    const stored = await server.storage.get('/example.com/wids/default/b');
    assert.match(String(stored.kv?.value), /^\{"apiVersion":"example\.com\/v1","kind":"Wid".*\}\n$/);
    server.close();
  });

  test('increase generation for changes outside metadata, and for status only without its subresource', async () => {
    const { server, definitions } = customResources();
    const generation = async (method: string, path: string, body: object): Promise<unknown> =>
      ((await server.send(method, path, body)).body['metadata'] as { generation: number }).generation;
    definitions.put(definition('1', [version('v1', { subresources: { status: {} } })]));
    await server.send('POST', wids, wid('v1', { a: 1 }));
    assert.equal(await generation('PATCH', `${wids}/a`, { metadata: { labels: { x: 'y' } } }), 1);
    assert.equal(await generation('PATCH', `${wids}/a`, { status: { n: 1 } }), 1);
    assert.equal(await generation('PATCH', `${wids}/a/status`, { status: { n: 1 }, spec: { a: 9 } }), 1);
    assert.equal(await generation('PATCH', `${wids}/a`, { spec: { a: 2 } }), 2);
    definitions.put(definition('1', [version('v1')]));
    assert.equal(await generation('PATCH', `${wids}/a`, { status: { n: 2 } }), 3);
    server.close();
  });

  test("read and write a Scale at the definition's paths", async () => {
    const { server, definitions } = customResources();
    const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.n', labelSelectorPath: '.status.sel' };
    definitions.put(definition('1', [version('v1', { subresources: { status: {}, scale } })]));
    await server.send('POST', wids, wid('v1', {}));
    assert.equal((await server.send('GET', `${wids}/a/scale`)).status, 500);
    await server.send('PATCH', `${wids}/a`, { spec: { size: 2 } });
    await server.send('PATCH', `${wids}/a/status`, { status: { n: 1, sel: 'a=b' } });
    const table = await server.send('GET', `${wids}/a/scale`, undefined, {
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    });
    assert.deepEqual(
      (table.body['columnDefinitions'] as { name: string }[]).map((column) => column.name),
      ['Name', 'Desired', 'Available', 'Age'],
    );
    const changed = await server.send('PATCH', `${wids}/a/scale`, { spec: { replicas: 5 } });
    assert.deepEqual(
      [changed.body['spec'], changed.body['status']],
      [{ replicas: 5 }, { replicas: 1, selector: 'a=b' }],
    );
    const refused = await server.send('PATCH', `${wids}/a/scale`, { spec: { replicas: -1 } });
    assert.equal(
      refused.body['message'],
      'Wid.example.com "a" is invalid: .spec.size: Invalid value: -1: should be a non-negative integer',
    );
    server.close();
  });

  test('answer a read of the Scale with a plain 500, and a write with 400, where the replicas are no number', async () => {
    const { server, definitions } = customResources();
    definitions.put(definition('1', [version('v1')]));
    await server.send('POST', wids, wid('v1', { size: 'x' }));
    const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.n' };
    definitions.put(definition('1', [version('v1', { subresources: { status: {}, scale } })]));
    const message = '.spec.size accessor error: x is of the type string, expected int64';
    const read = await server.send('GET', `${wids}/a/scale`);
    assert.deepEqual([read.status, read.body['reason'], read.body['message']], [500, undefined, message]);
    const write = await server.send('PATCH', `${wids}/a/scale`, { spec: { replicas: 1 } });
    assert.deepEqual([write.status, write.body['reason'], write.body['message']], [400, 'BadRequest', message]);
    server.close();
  });

  test('read a Scale from the version of the request', async () => {
    const { server, definitions } = customResources();
    const scale = { specReplicasPath: '.spec.onlyV1', statusReplicasPath: '.status.n' };
    const versions = ['v1', 'v2'].map((name) => version(name, { subresources: { scale } }));
    definitions.put(definition('1', versions));
    await server.send('POST', wids, wid('v1', { onlyV1: 2 }));
    const read = await server.send('GET', `${wids}/a/scale`);
    assert.deepEqual(read.body['spec'], { replicas: 2 });
    const without = await server.send('GET', `${widsV2}/a/scale`);
    assert.equal(
      without.body['message'],
      'Internal error occurred: the spec replicas field ".spec.onlyV1" does not exist',
    );
    server.close();
  });

  test("show the definition's columns in a Table", async () => {
    const { server, definitions } = customResources();
    const additionalPrinterColumns = [
      { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
      { name: 'All', type: 'string', jsonPath: '.spec.all' },
    ];
    definitions.put(definition('1', [version('v1', { additionalPrinterColumns })]));
    await server.send('POST', wids, wid('v1', { size: 3, all: { b: 1, a: [true] } }));
    const table = await server.send('GET', wids, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
    assert.deepEqual((table.body['rows'] as { cells: unknown[] }[])[0]?.cells, ['a', 3, '{"a":[true],"b":1}']);
    server.close();
  });

  test('accept selectableFields of the definition as field selectors, and no others', async () => {
    const { server, definitions } = customResources();
    definitions.put(definition('1', [version('v1', { selectableFields: [{ jsonPath: '.spec.color' }] })]));
    await server.send('POST', wids, wid('v1', { color: 'red' }));
    await server.send('POST', wids, wid('v1', { color: 'blue' }, { name: 'b' }));
    const found = await server.send('GET', `${wids}?fieldSelector=spec.color%3Dred`);
    assert.deepEqual(
      (found.body['items'] as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name),
      ['a'],
    );
    assert.equal(
      (await server.send('GET', `${wids}?fieldSelector=spec.size%3D1`)).body['message'],
      'field label not supported: spec.size',
    );
    server.close();
  });

  test('answer 404 for unserved versions and removed definitions, and refuse creates while terminating', async () => {
    const { server, definitions } = customResources();
    assert.equal((await server.send('GET', wids)).text, '404 page not found\n');
    definitions.put(definition('1', [version('v1'), version('v2', { served: false })]));
    assert.equal((await server.send('GET', wids)).status, 200);
    assert.equal((await server.send('GET', widsV2)).text, '404 page not found\n');
    definitions.put(definition('1', [version('v1')], { Established: 'True', Terminating: 'True' }));
    assert.equal(
      (await server.send('POST', wids, wid('v1', {}))).body['message'],
      'wids.example.com "a" is forbidden: create not allowed while custom resource definition is terminating',
    );
    definitions.remove(name);
    assert.equal((await server.send('GET', wids)).status, 404);
    server.close();
  });

  test('hold the first request until a new definition is established', async () => {
    const { server, definitions } = customResources();
    definitions.put(definition('1', [version('v1')], {}));
    const answer = server.send('GET', wids);
    await sleep(1);
    definitions.put(definition('1', [version('v1')]));
    assert.equal((await answer).status, 200);
    definitions.put(definition('1', [version('v1')], { NamesAccepted: 'False' }));
    assert.equal((await server.send('GET', wids)).status, 404);
    server.close();
  });

  test("keep resource and cache when a definition's spec is unchanged", async () => {
    const { server, definitions, resources } = customResources();
    definitions.put(definition('1', [version('v1')]));
    const resource = (): unknown => resources().find('example.com', 'v1', 'wids');
    const before = resource();
    definitions.put(definition('1', [version('v1')], { Established: 'True', Terminating: 'False' }));
    assert.equal(resource(), before);
    definitions.put(definition('1', [version('v1', { selectableFields: [{ jsonPath: '.spec.a' }] })]));
    assert.notEqual(resource(), before);
    server.close();
  });
});
