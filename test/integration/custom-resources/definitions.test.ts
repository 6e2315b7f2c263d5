import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { http2Client, type ApiClient } from '#test/api-client.ts';
import { startHostedCluster, type HostedCluster } from '#test/integration/one-process/start-cluster.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
let cluster: HostedCluster;
let client: ApiClient;
before(async () => {
  cluster = await startHostedCluster();
  client = http2Client(cluster);
});
after(async () => {
  client.close();
  await cluster.close();
});

function definition(group: string, names: JsonObject & { plural: string }): JsonObject {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const version = { name: 'v1', served: true, storage: true, schema, subresources: { status: {} } };
  return {
    metadata: { name: `${names.plural}.${group}` },
    spec: { group, scope: 'Namespaced', names, versions: [version] },
  };
}

async function send(method: string, path: string, body?: JsonValue): Promise<JsonObject> {
  const headers = method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {};
  const answer = await client.send(method, path, { headers, ...(body === undefined ? {} : { body }) });
  assert.ok(answer.status < 300, answer.text);
  return answer.json as JsonObject;
}

/** Reads until the answer is as it should be; the test's own time limit ends it otherwise. */
async function readUntil(
  path: string,
  holds: (body: JsonObject) => boolean,
  accept = 'application/json',
): Promise<JsonObject> {
  for (;;) {
    const { status, json } = await client.send('GET', path, { headers: { accept } });
    if (status === 200 && holds(json as JsonObject)) return json as JsonObject;
    await sleep(10);
  }
}

const condition = (type: string) => (body: JsonObject) =>
  objectsAt(body, 'status', 'conditions').find((one) => one['type'] === type) ?? {};

describe('definitions that wait for a name', () => {
  const freed: readonly (readonly [what: string, JsonObject, JsonObject])[] = [
    ['a short name', { shortNames: ['x'] }, { shortNames: ['y'] }],
    ['a singular name', { singular: 'one' }, { singular: 'other' }],
    ['a list kind', { listKind: 'Things' }, { listKind: 'OtherThings' }],
  ];
  for (const [index, [what, held, later]] of freed.entries())
    test(`accept ${what} once a change of the definition that has it frees it`, { timeout: 20_000 }, async () => {
      const group = `freed${index}.example.com`;
      const accepted = (reason: string) => (body: JsonObject) =>
        stringAt(condition('NamesAccepted')(body), 'reason') === reason;
      await send('POST', definitions, definition(group, { plural: 'firsts', kind: 'First', ...held }));
      await readUntil(`${definitions}/firsts.${group}`, accepted('NoConflicts'));
      await send('POST', definitions, definition(group, { plural: 'seconds', kind: 'Second', ...held }));
      await readUntil(`${definitions}/seconds.${group}`, (body) =>
        stringAt(condition('NamesAccepted')(body), 'reason').endsWith('Conflict'),
      );
      await send('PATCH', `${definitions}/firsts.${group}`, { spec: { names: later } });
      const second = await readUntil(`${definitions}/seconds.${group}`, accepted('NoConflicts'));
      const [[key, name] = ['', '']] = Object.entries(held);
      assert.deepEqual((second['status'] as { acceptedNames: JsonObject }).acceptedNames[key], name);
    });
});

describe('discovery of a definition that terminates', () => {
  test('has no verbs that write, in both forms, unlike the OpenAPI document', { timeout: 20_000 }, async () => {
    const group = 'ending.example.com';
    const name = `things.${group}`;
    await send('POST', definitions, definition(group, { plural: 'things', kind: 'Thing' }));
    await readUntil(`${definitions}/${name}`, (body) => condition('Established')(body)['status'] === 'True');
    const things = `/apis/${group}/v1/namespaces/default/things`;
    await send('POST', things, {
      apiVersion: `${group}/v1`,
      kind: 'Thing',
      metadata: { name: 'a', finalizers: ['example.com/stays'] },
    });
    await send('DELETE', `${definitions}/${name}`);
    const verbsOf = (body: JsonObject): JsonValue =>
      objectsAt(body, 'resources').map((one) => [stringAt(one, 'name'), (one['verbs'] as string[]).join(' ')]);
    const list = await readUntil(`/apis/${group}/v1`, (body) => !JSON.stringify(body).includes('create'));
    assert.deepEqual(verbsOf(list), [
      ['things', 'delete deletecollection get list watch'],
      ['things/status', 'get patch update'],
    ]);
    await readUntil(
      '/apis',
      (body) =>
        /"resource":"things".*?"verbs":\["delete","deletecollection","get","list","watch"\]/.test(JSON.stringify(body)),
      'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    );
    const document = JSON.stringify(await send('GET', `/openapi/v3/apis/${group}/v1`));
    assert.ok(document.includes('createEndingExampleComV1NamespacedThing'));
    await send('PATCH', `${things}/a`, { metadata: { finalizers: null } });
  });
});
