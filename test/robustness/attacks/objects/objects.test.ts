import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { http1Client, http2Client, type Answer } from '#test/api-client.ts';
import { processOf } from '#test/cluster-processes.ts';
import { startCluster, type Cluster } from '#test/cluster.ts';
import { fill, list, map } from './hostile-object.ts';
import { configMaps, definition, pods, serviceAccounts, things } from './small-objects.ts';

// Each took seconds to minutes, gigabytes, or the process. `run.ts` judges the time, on a quiet machine.

const mostAnswerBytes = 8 * 1024 * 1024;
const count = (items: number, item: (index: number) => string): string =>
  Array.from({ length: items }, (_, index) => item(index)).join(',');

let cluster: Cluster;
before(async () => {
  cluster = await startCluster();
  await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', JSON.stringify(definition));
  await send('POST', serviceAccounts.collection, '{"metadata":{"name":"default"}}');
});
after(() => cluster.close());

async function send(
  method: string,
  path: string,
  body: string,
  contentType = 'application/json',
  protocol: 1 | 2 = 2,
): Promise<Answer> {
  const client = (protocol === 1 ? http1Client : http2Client)(cluster);
  try {
    return await client.send(method, path, { body, headers: { 'content-type': contentType } });
  } finally {
    client.close();
  }
}

let attacks = 0;
const servers = (): (number | undefined)[] => (['core', 'extensions'] as const).map((name) => processOf(cluster, name));

/** The protocols take turns. The answer is bounded, and core and extensions are those that they were. */
async function attack(
  method: string,
  path: string,
  body: string,
  statuses: readonly number[],
  contentType?: string,
): Promise<void> {
  const pids = servers();
  const { status, bytes } = await send(
    method,
    `${path}${path.includes('?') ? '&' : '?'}dryRun=All`,
    body,
    contentType,
    attacks++ % 2 === 0 ? 1 : 2,
  );
  assert.ok(statuses.includes(status), `${status} ${bytes.subarray(0, 300).toString()}`);
  assert.ok(bytes.length < mostAnswerBytes, `${bytes.length} bytes`);
  assert.deepEqual(servers(), pids, cluster.output());
}

const object = (members: string, name = 'hostile'): string => `{"metadata":{"name":"${name}"${members}`;

describe('core and extensions servers', () => {
  test('create an object with 20,000 owner references', () =>
    attack(
      'POST',
      configMaps.collection,
      object(
        `,"ownerReferences":[${count(20_000, (i) => `{"apiVersion":"v1","kind":"Pod","name":"a","uid":"${i}"}`)}]}}`,
      ),
      [201],
    ));

  test('refuse an object with 20,000 controlling owner references', () =>
    attack(
      'POST',
      configMaps.collection,
      object(
        `,"ownerReferences":[${count(20_000, (i) => `{"apiVersion":"v1","kind":"Pod","name":"a","uid":"${i}","controller":true}`)}]}}`,
      ),
      [422],
    ));

  test('create a pod with 10,000 topology spread constraints', () =>
    attack(
      'POST',
      pods.collection,
      object(
        `},"spec":{"containers":[{"name":"a","image":"a"}],"topologySpreadConstraints":[${count(10_000, (i) => `{"maxSkew":1,"topologyKey":"k${i}","whenUnsatisfiable":"DoNotSchedule"}`)}]}}`,
      ),
      [201],
    ));

  test('create a pod with 20,000 tolerations', () =>
    attack(
      'POST',
      pods.collection,
      object(
        `},"spec":{"containers":[{"name":"a","image":"a"}],"tolerations":[${count(20_000, (i) => `{"key":"k${i}","operator":"Exists"}`)}]}}`,
      ),
      [201],
    ));

  test('refuse 50,000 invalid labels', () =>
    attack('POST', configMaps.collection, object(`,"labels":{${count(50_000, (i) => `"-${i}":"-"`)}}}}`), [422]));

  test('create a ConfigMap of 50,000 keys', () =>
    attack('POST', configMaps.collection, object(`},"data":{${count(50_000, (i) => `"k${i}":""`)}}}`), [201]));

  test('refuse 100,000 duplicate keys', () =>
    attack(
      'POST',
      `${configMaps.collection}?fieldValidation=Strict`,
      object(`},"data":{${count(100_000, () => '"k":""')}}}`),
      [400],
    ));

  test('merge a strategic patch of 20,000 items into 10,000', async () => {
    const items = (from: number, to: number): string =>
      `{"secrets":[${count(to - from, (i) => `{"name":"s${from + i}"}`)}]}`;
    const path = `${serviceAccounts.collection}/default`;
    assert.equal((await send('PATCH', path, items(0, 10_000), 'application/strategic-merge-patch+json')).status, 200);
    await attack('PATCH', path, items(5_000, 25_000), [200], 'application/strategic-merge-patch+json');
  });

  test('refuse a JSON patch whose copies double the object', async () => {
    await send('POST', configMaps.collection, object('},"data":{"a":"b"}}', 'copied'));
    const copies = fill(3_000, () => '{"op":"copy","from":"/data","path":"/data/x"}');
    await attack(
      'PATCH',
      `${configMaps.collection}/copied`,
      `[${copies}]`,
      [400, 413, 422, 500],
      'application/json-patch+json',
    );
  });

  test('refuse a text of 1 MB by pattern or length', async () => {
    for (const [field, text] of [
      ['pattern', `${'a'.repeat(1_000_000)}!`],
      ['words', 'word '.repeat(200_000)],
      ['counted', 'a'.repeat(1_000_000)],
    ] as const) {
      await attack(
        'POST',
        things.collection,
        `{"apiVersion":"${things.apiVersion}","kind":"Thing","metadata":{"name":"a"},"spec":{"${field}":"${text}"}}`,
        [422],
      );
    }
  });

  test('refuse duplicates among 300,000 items of sets, map lists and open objects', async () => {
    for (const spec of [
      `"set":${list(300_000, (i) => `"v${i >> 1}"`)}`,
      `"map":${list(300_000, () => '{"a":"v","b":1}')}`,
      `"open":${map(300_000, (i) => `"k${i}":1`)}`,
    ]) {
      await attack(
        'POST',
        things.collection,
        `{"apiVersion":"${things.apiVersion}","kind":"Thing","metadata":{"name":"a"},"spec":{${spec}}}`,
        [422],
      );
    }
  });

  const definitionOf = (versions: string): string =>
    `{"metadata":{"name":"attacks.attacked.example.com"},"spec":{"group":"attacked.example.com","scope":"Namespaced","names":{"plural":"attacks","singular":"attack","kind":"Attack","listKind":"AttackList"},"versions":${versions}}}`;
  const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

  test('create a definition of 20,000 versions', () =>
    attack(
      'POST',
      definitionsPath,
      definitionOf(
        `[${count(20_000, (i) => `{"name":"v${i + 1}","served":false,"storage":${i === 0},"schema":{"openAPIV3Schema":{"type":"object"}}}`)}]`,
      ),
      [201],
    ));

  test('refuse a definition with 100,000 list map keys', () =>
    attack(
      'POST',
      definitionsPath,
      definitionOf(
        `[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"a":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":[${count(100_000, (i) => `"k${i}"`)}],"items":{"type":"object"}}}}}}]`,
      ),
      [422],
    ));

  test('create 50,000 tolerations of a RuntimeClass and refuse 100,000 quota scopes', async () => {
    const tolerations = count(50_000, (i) => `{"key":"k${i}","operator":"Exists"}`);
    await attack(
      'POST',
      '/apis/node.k8s.io/v1/runtimeclasses',
      `{"metadata":{"name":"a"},"handler":"a","scheduling":{"tolerations":[${tolerations}]}}`,
      [201],
    );
    const scopes = count(100_000, (i) => `"s${i}"`);
    const hard = count(50_000, (i) => `"example.com/r${i}":"1"`);
    await attack(
      'POST',
      '/api/v1/namespaces/default/resourcequotas',
      object(`},"spec":{"scopes":[${scopes}],"hard":{${hard}}}}`),
      [422],
    );
  });
});
