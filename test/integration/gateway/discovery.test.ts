import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { startAnyCluster } from '#test/any-cluster.ts';
import type { AnyCluster } from '#test/any-cluster.ts';
import { http2Client } from '#test/api-client.ts';
import type { ApiClient } from '#test/api-client.ts';

const aggregated = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' };
const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';

interface Group {
  readonly metadata: { readonly name: string };
  readonly versions: readonly {
    readonly version: string;
    readonly freshness: string;
    readonly resources?: readonly { readonly resource: string }[];
  }[];
}

interface Recorded {
  readonly document: { readonly items: readonly Group[] };
}

/** Recorded from the reference with its default settings. */
const recorded = JSON.parse(
  readFileSync(new URL('../../../shared/endpoints/discovery/testdata/reference.json', import.meta.url), 'utf8'),
) as Record<string, Recorded>;
const apiExtensions = 'apiextensions.k8s.io';

let cluster: AnyCluster;
let client: ApiClient;
before(async () => {
  cluster = await startAnyCluster();
  client = http2Client(cluster);
});
after(async () => {
  client.close();
  await cluster.close();
});

async function groupsAt(at: ApiClient, path: string): Promise<readonly Group[]> {
  return (await at.send('GET', path, { headers: aggregated })).json.items as readonly Group[];
}

describe('discovery through the gateway', () => {
  test("equals the reference's in aggregated form", async () => {
    assert.deepEqual(await groupsAt(client, '/api'), recorded['/api aggregated']?.document.items);
    const but = (groups: readonly Group[] = []): readonly Group[] =>
      groups.filter(({ metadata }) => metadata.name !== apiExtensions);
    assert.deepEqual(but(await groupsAt(client, '/apis')), but(recorded['/apis aggregated']?.document.items));
  });

  test('follows an APIService from its creation, through stale, to its deletion', async () => {
    const spec = {
      group: 'wardle.example.com',
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 10,
      insecureSkipTLSVerify: true,
      service: { namespace: 'default', name: 'none' },
    };
    const misnamed = await client.send('POST', apiServices, {
      body: { metadata: { name: 'v1.other.example.com' }, spec },
    });
    assert.deepEqual([misnamed.status, misnamed.json.reason], [422, 'Invalid']);
    const unsafe = await client.send('POST', apiServices, {
      body: { metadata: { name: 'v1.wardle.example.com' }, spec: { ...spec, caBundle: 'AA==' } },
    });
    assert.equal(unsafe.status, 422, unsafe.text);
    const created = await client.send('POST', apiServices, {
      body: { metadata: { name: 'v1.wardle.example.com' }, spec },
    });
    assert.equal(created.status, 201, created.text);
    const things = '/apis/wardle.example.com/v1/things';
    const until = async (status: number): Promise<void> => {
      for (let tries = 0; tries < 500; tries++) if ((await client.send('GET', things)).status === status) return;
      assert.equal((await client.send('GET', things)).status, status);
    };
    await until(503);
    const stale = (await groupsAt(client, '/apis')).find(({ metadata }) => metadata.name === 'wardle.example.com');
    assert.equal(stale?.versions[0]?.freshness, 'Stale');
    assert.equal((await client.send('DELETE', `${apiServices}/v1.wardle.example.com`)).status, 200);
    await until(404);
    assert.equal(
      (await groupsAt(client, '/apis')).some(({ metadata }) => metadata.name === 'wardle.example.com'),
      false,
    );
  });

  test('follows definitions in one group version, and leaves out those that are not established', async () => {
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const group = 'shared.example.com';
    const define = async (plural: string, kind: string, version: string): Promise<void> => {
      const spec = {
        group,
        scope: 'Namespaced',
        names: { plural, kind, listKind: `${plural}List` },
        versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      };
      const { status, text } = await client.send('POST', definitions, {
        body: { metadata: { name: `${plural}.${group}` }, spec },
      });
      assert.equal(status, 201, text);
    };
    const discovered = async (): Promise<string> => {
      const found = (await groupsAt(client, '/apis')).find(({ metadata }) => metadata.name === group);
      return (found?.versions ?? [])
        .map(({ version, resources = [] }) => `${version}: ${resources.map(({ resource }) => resource).join()}`)
        .join('; ');
    };
    const becomes = async (wanted: string): Promise<void> => {
      for (const patience = performance.now() + 10_000; (await discovered()) !== wanted;)
        if (performance.now() > patience) assert.equal(await discovered(), wanted);
    };
    await define('odds', 'Odd', 'v1');
    await becomes('v1: odds');
    await define('evens', 'Even', 'v1');
    await becomes('v1: evens,odds');
    // Its kind is taken: as in the reference, the version is registered all the same
    // (pkg/controlplane/controller/crdregistration).
    await define('thirds', 'Odd', 'v2');
    for (
      const patience = performance.now() + 10_000;
      (await client.send('GET', `${apiServices}/v2.${group}`)).status !== 200;
    )
      assert.ok(performance.now() < patience);
    const { versions } = (await client.send('GET', `/apis/${group}`)).json as {
      versions: readonly { version: string }[];
    };
    assert.deepEqual(
      versions.map(({ version }) => version),
      ['v2', 'v1'],
    );
    assert.equal(await discovered(), 'v1: evens,odds');
    assert.equal((await client.send('GET', `/apis/${group}/v2/namespaces/default/thirds`)).status, 404);
    assert.equal((await client.send('DELETE', `${definitions}/evens.${group}`)).status, 200);
    await becomes('v1: odds');
  });

  test('serves OpenAPI v2 and v3 of gateway and backends, with every document of the index', async () => {
    const index = (await client.send('GET', '/openapi/v3')).json.paths as Record<string, { serverRelativeURL: string }>;
    for (const path of ['api/v1', 'apis/apps/v1', 'apis/apiregistration.k8s.io/v1', 'apis/apiextensions.k8s.io/v1'])
      assert.ok(index[path], path);
    for (const [path, { serverRelativeURL }] of Object.entries(index)) {
      const document = await client.send('GET', serverRelativeURL);
      assert.equal(document.status, 200, path);
      assert.ok(Object.keys(document.json.paths as object).length > 0, path);
    }
    const { paths, definitions } = (await client.send('GET', '/openapi/v2')).json as {
      paths: object;
      definitions: object;
    };
    for (const path of ['/api/v1/namespaces', '/apis/apps/v1/deployments', apiServices])
      assert.ok(Object.hasOwn(paths, path), path);
    for (const name of ['io.k8s.api.core.v1.Pod', 'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIService'])
      assert.ok(Object.hasOwn(definitions, name), name);
  });

  test('leaves out a group and a version that --runtime-config disables', async () => {
    const other = await startAnyCluster({ flags: ['--runtime-config', 'batch/v1=false,autoscaling/v1=false'] });
    const without = http2Client(other);
    try {
      const groups = await groupsAt(without, '/apis');
      assert.equal(
        groups.some(({ metadata }) => metadata.name === 'batch'),
        false,
      );
      assert.deepEqual(
        groups.find(({ metadata }) => metadata.name === 'autoscaling')?.versions.map(({ version }) => version),
        ['v2'],
      );
      assert.equal((await without.send('GET', '/apis/batch/v1/jobs')).status, 404);
      assert.equal((await without.send('GET', `${apiServices}/v1.batch`)).status, 404);
      const legacy = (await without.send('GET', '/apis')).json.groups as { name: string }[];
      assert.equal(
        legacy.some(({ name }) => name === 'batch'),
        false,
      );
    } finally {
      without.close();
      await other.close();
    }
  });
});
