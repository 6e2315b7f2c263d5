import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startCluster } from '#test/cluster.ts';
import type { Cluster } from '#test/cluster.ts';

let cluster: Cluster;
before(async () => {
  cluster = await startCluster();
});
after(async () => {
  await cluster.close();
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
  admin = true,
): Promise<Answer> {
  const { port } = new URL(cluster.url);
  const pki = (name: string) => readFileSync(join(cluster.pki, name));
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        agent: false,
        ca: pki('ca.crt'),
        headers: { 'content-type': 'application/json', ...headers },
        ...(admin ? { cert: pki('admin.crt'), key: pki('admin.key') } : {}),
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (more: string) => {
          text += more;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

describe('cluster behind its gateway', () => {
  test('writes, reads and deletes objects', async () => {
    const created = await call('POST', '/api/v1/namespaces/default/configmaps', {
      metadata: { name: 'a' },
      data: { x: 'y' },
    });
    assert.equal(created.status, 201, created.text);
    const read = await call('GET', '/api/v1/namespaces/default/configmaps/a');
    assert.equal(read.text, created.text);
    assert.equal(
      (await call('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } })).status,
      409,
    );
    assert.equal((await call('DELETE', '/api/v1/namespaces/default/configmaps/a')).status, 200);
  });

  test('lists a local APIService for every group version', async () => {
    const { items } = JSON.parse((await call('GET', '/apis/apiregistration.k8s.io/v1/apiservices')).text) as {
      items: {
        metadata: { name: string; labels: Record<string, string> };
        spec: object;
        status: { conditions: { reason: string }[] };
      }[];
    };
    const apps = items.find(({ metadata }) => metadata.name === 'v1.apps');
    assert.equal(apps?.metadata.labels['kube-aggregator.kubernetes.io/automanaged'], 'onstart');
    assert.deepEqual(apps?.spec, { group: 'apps', version: 'v1', groupPriorityMinimum: 17800, versionPriority: 15 });
    assert.equal(apps?.status.conditions[0]?.reason, 'Local');
    assert.ok(items.some(({ metadata }) => metadata.name === 'v1.'));
  });

  test('answers 503 for a registered server that is unreachable, and shows its group as stale', async () => {
    const wrong = await call('POST', '/apis/apiregistration.k8s.io/v1/apiservices', {
      metadata: { name: 'v1.x.io' },
      spec: {
        group: 'y.io',
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 10,
        insecureSkipTLSVerify: true,
        service: { namespace: 'default', name: 's' },
      },
    });
    assert.equal(wrong.status, 422);
    const created = await call('POST', '/apis/apiregistration.k8s.io/v1/apiservices', {
      metadata: { name: 'v1.y.io' },
      spec: {
        group: 'y.io',
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 10,
        insecureSkipTLSVerify: true,
        service: { namespace: 'default', name: 's' },
      },
    });
    assert.equal(created.status, 201, created.text);
    let answer = await call('GET', '/apis/y.io/v1/things');
    while (answer.status === 404) answer = await call('GET', '/apis/y.io/v1/things');
    assert.equal(answer.status, 503);
    assert.equal(answer.text, 'service unavailable\n');
    const list = JSON.parse(
      (
        await call('GET', '/apis', undefined, {
          accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
        })
      ).text,
    ) as { items: { metadata: { name: string }; versions: { freshness: string }[] }[] };
    assert.equal(list.items.find(({ metadata }) => metadata.name === 'y.io')?.versions[0]?.freshness, 'Stale');
    assert.equal((await call('DELETE', '/apis/apiregistration.k8s.io/v1/apiservices/v1.y.io')).status, 200);
  });

  test('answers 304 to discovery with a matching If-None-Match', async () => {
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    const first = await call('GET', '/apis', undefined, { accept });
    assert.equal(first.status, 200);
    assert.equal(
      (await call('GET', '/apis', undefined, { accept, 'if-none-match': String(first.headers['etag']) })).status,
      304,
    );
  });

  test('ignores identity headers of a client', async () => {
    const answer = await call(
      'GET',
      '/api/v1/secrets',
      undefined,
      { 'x-remote-user': 'admin', 'x-remote-group': 'system:masters' },
      false,
    );
    assert.equal(answer.status, 403);
    assert.match(answer.text, /system:anonymous/);
  });

  test("answers unknown paths with the reference's plain 404", async () => {
    for (const path of ['/apis/nope.io/v1/things', '/apis/nope.io', '/nope']) {
      const answer = await call('GET', path);
      assert.deepEqual([answer.status, answer.text], [404, '404 page not found\n'], path);
    }
  });

  test('answers an unknown version of a known group with a Status', async () => {
    for (const path of ['/apis/apps/v9/x', '/api/v9/pods', '/apis/apps/v9']) {
      const answer = await call('GET', path);
      const status = JSON.parse(answer.text) as { message: string };
      assert.deepEqual(
        [answer.status, status.message],
        [404, 'the server could not find the requested resource'],
        path,
      );
    }
  });

  test('keeps keys, kubeconfig and sockets readable by their owner only', () => {
    assert.equal(statSync(cluster.kubeconfig).mode & 0o777, 0o600);
    assert.equal(statSync(join(cluster.dataDir, 'run')).mode & 0o777, 0o700);
    for (const name of readdirSync(cluster.pki).filter((file) => file.endsWith('.key')))
      assert.equal(statSync(join(cluster.pki, name)).mode & 0o777, 0o600, name);
  });
});
