import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import { startAnyCluster } from '#test/any-cluster.ts';
import type { AnyCluster } from '#test/any-cluster.ts';
import { http1Client, http2Client } from '#test/api-client.ts';
import type { Answer, ApiClient } from '#test/api-client.ts';
import { freePort } from '#test/free-port.ts';
import { bobToken, writeTokens } from '#test/tokens.ts';

const group = '/apis/fruits.quarterdeck.example/v1alpha1';
const fruits = `${group}/namespaces/default/fruits`;
const apiService = '/apis/apiregistration.k8s.io/v1/apiservices/v1alpha1.fruits.quarterdeck.example';
const aggregated = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' };

let folder: string;
let cluster: AnyCluster;
let admin: ApiClient;
let port: number;
let sample: ChildProcess;
let startSample: () => Promise<ChildProcess>;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'registered-server-'));
  cluster = await startAnyCluster({ flags: ['--token-auth-file', writeTokens(folder)] });
  admin = http2Client(cluster);
  port = await freePort();
  const ca = await createTestCa('CN=fruits-ca');
  const serving = await ca.issue('CN=fruits', 'server', undefined, 'fruits.default.svc');
  const file = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  };
  const files = [
    join(cluster.pki, 'ca.crt'),
    file('token', await makeServiceAccount()),
    file('tls.crt', serving.cert),
    file('tls.key', serving.key),
  ];
  startSample = () =>
    listening(
      spawn(
        process.execPath,
        ['--import', 'tsx', 'test/sample-apiserver/main.ts', cluster.url, ...files, String(port)],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      ),
    );
  sample = await startSample();
  await create('/api/v1/namespaces/default/services', {
    metadata: { name: 'fruits' },
    spec: { type: 'ExternalName', externalName: 'localhost' },
  });
  await create('/apis/apiregistration.k8s.io/v1/apiservices', {
    metadata: { name: 'v1alpha1.fruits.quarterdeck.example' },
    spec: {
      group: 'fruits.quarterdeck.example',
      version: 'v1alpha1',
      groupPriorityMinimum: 1000,
      versionPriority: 15,
      caBundle: Buffer.from(ca.cert).toString('base64'),
      service: { namespace: 'default', name: 'fruits', port },
    },
  });
});

after(async () => {
  sample?.kill('SIGKILL');
  admin?.close();
  await cluster?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('registered API server', () => {
  test('becomes available and appears in discovery', async () => {
    await until(async () => (await condition()).status === 'True');
    assert.deepEqual(
      { ...(await condition()), lastTransitionTime: '' },
      { type: 'Available', status: 'True', lastTransitionTime: '', reason: 'Passed', message: 'all checks passed' },
    );
    await until(async () => (await discovered())?.freshness === 'Current');
    assert.deepEqual(
      (await discovered())?.resources.map(({ resource }) => resource),
      ['fruits'],
    );
    assert.ok(
      (await admin.send('GET', '/apis')).json.groups.some(
        ({ name }: { name: string }) => name === 'fruits.quarterdeck.example',
      ),
    );
    assert.equal((await admin.send('GET', group)).json.resources[0].name, 'fruits');
  });

  test('serves writes, validation errors, lists and watches through the gateway', async () => {
    const watch = await admin.open(`${fruits}?watch=1`);
    const created = await create(fruits, { metadata: { name: 'apple' }, spec: { color: 'red', grams: 150 } });
    assert.equal(created.json.spec.color, 'red');
    const refused = await admin.send('POST', fruits, {
      body: fruit({ metadata: { name: 'pear' }, spec: { grams: -1 } }),
    });
    assert.equal(refused.status, 422);
    assert.match(refused.json.message, /spec\.grams: Invalid value: -1: must not be negative/);
    const patched = await admin.send('PATCH', `${fruits}/apple`, {
      body: { spec: { grams: 160 } },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    assert.equal(patched.json.spec.grams, 160, patched.text);
    assert.deepEqual(
      (await admin.send('GET', fruits)).json.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name),
      ['apple'],
    );
    assert.equal((await admin.send('DELETE', `${fruits}/apple`)).status, 200);
    assert.deepEqual(
      (await watch.until(3)).map((line) => (JSON.parse(line) as { type: string }).type),
      ['ADDED', 'MODIFIED', 'DELETED'],
    );
    watch.close();
  });

  test("authenticates and authorizes the client's user", async () => {
    const bob = http1Client(cluster, { token: bobToken });
    try {
      const refused = await bob.send('GET', fruits);
      assert.equal(refused.status, 403);
      await create('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
        metadata: { name: 'fruit-reader' },
        rules: [{ apiGroups: ['fruits.quarterdeck.example'], resources: ['fruits'], verbs: ['list'] }],
      });
      await create('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
        metadata: { name: 'fruit-readers' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'fruit-reader' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'dev' }],
      });
      await until(async () => (await bob.send('GET', fruits)).status === 200);
      assert.equal((await bob.send('DELETE', `${fruits}/none`)).status, 403);
    } finally {
      bob.close();
    }
  });

  test('appears in the OpenAPI documents', async () => {
    const document = 'apis/fruits.quarterdeck.example/v1alpha1';
    await until(async () => (await admin.send('GET', '/openapi/v3')).json.paths[document] !== undefined);
    const { serverRelativeURL } = (await admin.send('GET', '/openapi/v3')).json.paths[document] as {
      serverRelativeURL: string;
    };
    const v3 = await admin.send('GET', serverRelativeURL);
    assert.ok(v3.json.components.schemas['example.quarterdeck.fruits.v1alpha1.Fruit']);
    assert.equal(
      (await admin.send('GET', serverRelativeURL, { headers: { 'if-none-match': v3.headers.etag ?? '' } })).status,
      304,
    );
    await until(
      async () =>
        (await admin.send('GET', '/openapi/v2')).json.definitions['example.quarterdeck.fruits.v1alpha1.Fruit'] !==
        undefined,
    );
    const v2 = await admin.send('GET', '/openapi/v2');
    assert.ok(v2.json.paths['/apis/fruits.quarterdeck.example/v1alpha1/namespaces/{namespace}/fruits']);
    assert.ok(v2.json.definitions['io.k8s.api.core.v1.Pod']);
    assert.equal(v2.json.definitions['io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta_v2'], undefined);
    const binary = await admin.send('GET', '/openapi/v2', {
      headers: { accept: 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf' },
    });
    assert.ok(binary.bytes.includes('/apis/fruits.quarterdeck.example/v1alpha1/namespaces/{namespace}/fruits'));
  });

  test('makes only its own group unavailable when it is killed, and serves again after a restart', async () => {
    const exited = new Promise((resolve) => sample.once('exit', resolve));
    sample.kill('SIGKILL');
    await exited;
    const first = await admin.send('GET', fruits);
    assert.equal(first.status, 503);
    assert.match(first.text, /^error trying to reach service: dial tcp \S+: connect: connection refused\n$/);
    await until(async () => (await condition()).status === 'False');
    assert.equal((await condition()).reason, 'FailedDiscoveryCheck');
    await until(async () => (await admin.send('GET', fruits)).text === 'service unavailable\n');
    await until(async () => (await discovered())?.freshness === 'Stale');
    assert.equal((await admin.send('GET', '/apis/apps/v1/deployments')).status, 200);
    assert.ok(
      (await admin.send('GET', '/apis', { headers: aggregated })).json.items.every(
        ({ metadata, versions }: GroupEntry) =>
          metadata.name === 'fruits.quarterdeck.example' || versions.every(({ freshness }) => freshness === 'Current'),
      ),
    );

    sample = await startSample();
    const sinceMs = Date.now();
    await until(async () => (await admin.send('GET', fruits)).status === 200);
    assert.ok(Date.now() - sinceMs < 10_000);
    await until(async () => (await discovered())?.freshness === 'Current');
  });
});

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}
interface VersionEntry {
  readonly freshness: string;
  readonly resources: readonly { readonly resource: string }[];
}
interface GroupEntry {
  readonly metadata: { readonly name: string };
  readonly versions: readonly VersionEntry[];
}

async function condition(): Promise<Condition> {
  const { json } = await admin.send('GET', apiService);
  return (json.status?.conditions?.[0] ?? { status: '' }) as Condition;
}

async function discovered(): Promise<VersionEntry | undefined> {
  const { items } = (await admin.send('GET', '/apis', { headers: aggregated })).json as { items: GroupEntry[] };
  return items.find(({ metadata }) => metadata.name === 'fruits.quarterdeck.example')?.versions[0];
}

function fruit(of: object): object {
  return { apiVersion: 'fruits.quarterdeck.example/v1alpha1', kind: 'Fruit', ...of };
}

async function create(path: string, body: object): Promise<Answer> {
  const answer = await admin.send('POST', path, { body });
  assert.equal(answer.status, 201, answer.text);
  return answer;
}

/** A service account that may be an extension server; its token. */
async function makeServiceAccount(): Promise<string> {
  await create('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'fruits' } });
  const subjects = [{ kind: 'ServiceAccount', name: 'fruits', namespace: 'default' }];
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  await create(`${rbac}/namespaces/kube-system/rolebindings`, {
    metadata: { name: 'fruits' },
    subjects,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'extension-apiserver-authentication-reader' },
  });
  await create(`${rbac}/clusterrolebindings`, {
    metadata: { name: 'fruits' },
    subjects,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:auth-delegator' },
  });
  const token = await create('/api/v1/namespaces/default/serviceaccounts/fruits/token', { spec: {} });
  return token.json.status.token as string;
}

function listening(child: ChildProcess): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('listens')) resolve(child);
    });
    child.once('exit', (code) => reject(new Error(`the sample ended with ${code}`)));
  });
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadlineMs = Date.now() + 15_000;
  while (!(await holds())) {
    assert.ok(Date.now() < deadlineMs, 'it did not happen in time');
    await pause(20);
  }
}
