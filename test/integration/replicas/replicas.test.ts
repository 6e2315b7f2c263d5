import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { http1Client, http2Client, type ApiClient } from '#test/api-client.ts';
import { processesOf, untilAllReady } from '#test/cluster-processes.ts';
import { startCluster, type Cluster } from '#test/cluster.ts';

// Two gateways, cores and extensions servers over one store: clients cannot tell.

const maps = '/api/v1/namespaces/default/configmaps';
let cluster: Cluster;
let client: ApiClient;
before(async () => {
  cluster = await startCluster({
    flags: ['--core-replicas', '2', '--extensions-replicas', '2', '--gateway-replicas', '2'],
    readyWithinMs: 60_000,
  });
  client = http1Client(cluster);
});
after(async () => {
  client.close();
  await cluster.close();
});

interface List {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

describe('replicated servers', () => {
  test('read on every core what one core has just written', async () => {
    for (let count = 0; count < 20; count++) {
      const created = await client.send('POST', maps, { body: { metadata: { name: `written-${count}` } } });
      assert.equal(created.status, 201, created.text);
      const version = (created.json as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
      const answers = await Promise.all(
        [`/written-${count}`, `/written-${count}`, `?resourceVersion=${version}`, `?resourceVersion=${version}`].map(
          (path) => client.send('GET', maps + path),
        ),
      );
      for (const answer of answers)
        assert.ok(answer.status === 200 && answer.text.includes(`"written-${count}"`), answer.text.slice(0, 200));
    }
  });

  test('continue a chunked list at its revision on any core', async () => {
    const first = (await client.send('GET', `${maps}?limit=5`)).json as List;
    await client.send('POST', maps, { body: { metadata: { name: 'zz-later' } } });
    for (let count = 0; count < 6; count++) {
      const rest = (await client.send('GET', `${maps}?limit=500&continue=${first.metadata.continue}`)).json as List;
      assert.equal(rest.metadata.resourceVersion, first.metadata.resourceVersion);
      assert.equal(
        rest.items.some(({ metadata }) => metadata.name === 'zz-later'),
        false,
      );
    }
  });

  test('serve a new definition on both extensions servers at once', async () => {
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const spec = {
      group: 'replicas.test',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    };
    const created = await client.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      body: { metadata: { name: 'things.replicas.test' }, spec },
    });
    assert.equal(created.status, 201, created.text);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => client.send('GET', '/apis/replicas.test/v1/things')),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 200),
    );
  });

  test('hold a Lease for each gateway, whose address the kubernetes Service has', async () => {
    const names = async (): Promise<number> =>
      (
        (
          await client.send(
            'GET',
            '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases?labelSelector=apiserver.kubernetes.io/identity=kube-apiserver',
          )
        ).json as List
      ).items.length;
    const subsets = async (): Promise<unknown> =>
      ((await client.send('GET', '/api/v1/namespaces/default/endpoints/kubernetes')).json as { subsets?: unknown })
        .subsets;
    const deadline = performance.now() + 10_000;
    while (((await names()) < 2 || (await subsets()) === undefined) && performance.now() < deadline) await sleep(20);
    assert.equal(await names(), 2);
    assert.match(
      JSON.stringify(await subsets()),
      /^\[\{"addresses":\[\{"ip":"[^"]+"\}\],"ports":\[\{"name":"https","port":\d+,"protocol":"TCP"\}\]\}\]$/,
    );
  });

  test('fail no request while one core after the other restarts', async () => {
    const load = { over: false, failed: [] as string[], count: 0 };
    const worker = async (index: number): Promise<void> => {
      const own = index % 2 === 0 ? http2Client(cluster) : http1Client(cluster);
      while (!load.over) {
        const name = `load-${index}-${load.count++}`;
        const answers = [
          await own.send('POST', maps, { body: { metadata: { name } } }),
          await own.send('GET', `${maps}/${name}`),
        ];
        load.failed.push(...answers.flatMap(({ status, text }) => (status < 300 ? [] : [`${status} ${text}`])));
      }
      own.close();
    };
    const workers = Array.from({ length: 4 }, (_, index) => worker(index));
    for (const pid of processesOf(cluster, 'core')) {
      process.kill(pid, 'SIGTERM');
      await untilAllReady(cluster, 'core', 2, pid);
    }
    load.over = true;
    await Promise.all(workers);
    assert.deepEqual(load.failed, []);
  });
});
