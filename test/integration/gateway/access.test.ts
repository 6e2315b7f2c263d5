import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { after, before, describe, test } from 'node:test';
import { startAnyCluster } from '#test/any-cluster.ts';
import type { AnyCluster } from '#test/any-cluster.ts';
import { http1Client, http2Client } from '#test/api-client.ts';
import type { ApiClient } from '#test/api-client.ts';
import { adminToken, bobToken, writeTokens } from '#test/tokens.ts';
import { dashboardQueries, exposedLabels, samplesRead } from './dashboard-expressions.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const reviews = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

let cluster: AnyCluster;
let tokens: string;
let admin: ApiClient;
let bob: ApiClient;
let nobody: ApiClient;
before(async () => {
  tokens = mkdtempSync(`${tmpdir()}/quarterdeck-tokens-`);
  cluster = await startAnyCluster({ flags: ['--token-auth-file', writeTokens(tokens)] });
  admin = http2Client(cluster);
  bob = http1Client(cluster, { token: bobToken });
  nobody = http1Client(cluster, 'anonymous');
});
after(async () => {
  for (const client of [admin, bob, nobody]) client.close();
  await cluster.close();
  rmSync(tokens, { recursive: true });
});

async function userOf(
  client: ApiClient,
  headers: Record<string, string> = {},
): Promise<{ username: string; groups: string[] }> {
  const { json, status, text } = await client.send('POST', reviews, { body: {}, headers });
  assert.equal(status, 201, text);
  return json.status.userInfo as { username: string; groups: string[] };
}

describe('access through the gateway', () => {
  test('ignores identity headers of a client, whoever sends them', async () => {
    const forged = {
      'x-remote-user': 'mallory',
      'x-remote-group': 'system:masters',
      'x-remote-uid': '0',
      'x-remote-extra-a': 'b',
      'x-quarterdeck-age-ms': '86400000',
      'x-quarterdeck-impersonator': 'mallory',
    };
    assert.equal((await nobody.send('GET', maps, { headers: forged })).status, 403);
    assert.match((await nobody.send('GET', maps, { headers: forged })).text, /system:anonymous/);
    assert.deepEqual(await userOf(bob, forged), await userOf(bob));
  });

  test('answers 404 to clients on the internal control path', async () => {
    assert.equal((await admin.send('GET', '/.quarterdeck/control')).status, 404);
  });

  test('refuses a user without rights until a RoleBinding grants them', async () => {
    const refused = await bob.send('GET', maps);
    assert.equal(refused.status, 403);
    assert.equal(
      refused.json.message,
      'configmaps is forbidden: User "bob" cannot list resource "configmaps" in API group "" in the namespace "default"',
    );
    const role = {
      metadata: { name: 'reader' },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] }],
    };
    assert.equal(
      (await admin.send('POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles', { body: role })).status,
      201,
    );
    const binding = {
      metadata: { name: 'bob' },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'bob' }],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
    };
    const bound = await admin.send('POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings', {
      body: binding,
    });
    assert.equal(bound.status, 201, bound.text);
    let allowed = await bob.send('GET', maps);
    for (let tries = 0; allowed.status === 403 && tries < 100; tries++) allowed = await bob.send('GET', maps);
    assert.equal(allowed.status, 200);
    assert.equal((await bob.send('POST', maps, { body: { metadata: { name: 'x' } } })).status, 403);
    assert.equal((await bob.send('GET', '/api/v1/namespaces/kube-system/configmaps')).status, 403);
  });

  test('answers 401 to an unknown token', async () => {
    const stranger = http1Client(cluster, { token: 'nobody-knows' });
    const answer = await stranger.send('GET', maps);
    assert.deepEqual([answer.status, answer.json.reason], [401, 'Unauthorized']);
    stranger.close();
  });

  test('lets an administrator impersonate, and refuses other users', async () => {
    assert.deepEqual(await userOf(admin, { 'impersonate-user': 'alice', 'impersonate-group': 'dev' }), {
      username: 'alice',
      groups: ['dev', 'system:authenticated'],
    });
    assert.equal(
      (await admin.send('GET', '/api/v1/secrets', { headers: { 'impersonate-user': 'alice' } })).status,
      403,
    );
    const refused = await bob.send('GET', maps, { headers: { 'impersonate-user': 'alice' } });
    assert.equal(refused.status, 403);
    assert.equal((await admin.send('GET', maps, { headers: { 'impersonate-group': 'dev' } })).status, 400);
  });

  for (const protocol of ['h1', 'h2'] as const) {
    test(`answers 413 to a body over 3 MiB over ${protocol}, and serves the next request`, async () => {
      const client = protocol === 'h1' ? http1Client(cluster) : http2Client(cluster);
      const answer = await client.send('POST', maps, {
        body: { metadata: { name: 'large' }, data: { a: 'x'.repeat(3 * 1024 * 1024) } },
      });
      assert.deepEqual([answer.status, answer.json.reason], [413, 'RequestEntityTooLarge']);
      assert.equal((await client.send('GET', maps)).status, 200);
      client.close();
    });

    test(`refuses headers over 1 MiB over ${protocol}`, async () => {
      const client = protocol === 'h1' ? http1Client(cluster) : http2Client(cluster);
      const headers = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`x-large-${i}`, 'y'.repeat(32 * 1024)]));
      const status = await client.send('GET', maps, { headers }).then(
        (answer) => answer.status,
        () => 'cut',
      );
      assert.ok(status === 431 || (protocol === 'h2' && status === 'cut'), String(status));
      client.close();
      assert.equal((await admin.send('GET', maps)).status, 200);
    });
  }
});

describe('gateway metrics', () => {
  test('count requests by verb, resource and code, and are refused to anonymous', async () => {
    assert.equal((await nobody.send('GET', '/metrics')).status, 403);
    await admin.send('GET', `${maps}/counted`);
    const { text, headers } = await admin.send('GET', '/metrics');
    assert.match(String(headers['content-type']), /^text\/plain; version=0\.0\.4/);
    assert.match(
      text,
      /^apiserver_request_total\{code="404",component="apiserver",dry_run="",group="",resource="configmaps",scope="resource",subresource="",verb="GET",version="v1"\} 1$/m,
    );
    assert.match(text, /^apiserver_request_duration_seconds_bucket\{.*resource="configmaps".*le="\+Inf"\} \d+$/m);
    assert.match(text, /^apiserver_current_inflight_requests\{request_kind="readOnly"\} \d+$/m);
    assert.match(text, /^process_resident_memory_bytes [1-9][\d.]*(?:e\+\d+)?$/m);
  });

  test('have each name and label that the dashboard reads', async () => {
    const watch = await admin.open(`${maps}?watch=1`);
    await admin.send('POST', maps, { body: { metadata: { name: 'watched' } } });
    await watch.until(1);
    await admin.send('GET', maps);
    // In a level that is not exempt.
    await nobody.send('GET', '/version');
    assert.equal(await statusWithoutBody(`${maps}?timeout=50ms`), 504);
    const read = async (): Promise<ReturnType<typeof exposedLabels>> =>
      exposedLabels((await admin.send('GET', '/metrics')).text);
    let exposed = await read();
    // Collections are observed from the first scrape on; scrapes cause them.
    for (let more = 50; more > 0 && !exposed.has('quarterdeck_gc_pause_seconds_sum'); more--) exposed = await read();
    watch.close();
    for (const { panel, expression, legend } of dashboardQueries()) {
      // Prometheus adds the instance.
      const shown = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
      for (const { name, labels } of samplesRead(expression)) {
        const known = exposed.get(name);
        assert.ok(known !== undefined, `${panel}: there is no ${name}`);
        for (const label of [...labels, ...shown].filter((one) => one !== 'instance'))
          assert.ok(known.has(label), `${panel}: ${name} has no label ${label}`);
      }
    }
  });
});

/** The status of a create whose body never comes, so that its deadline ends it. */
async function statusWithoutBody(path: string): Promise<number> {
  const session = connect(cluster.url, { rejectUnauthorized: false });
  const stream = session.request({
    ':method': 'POST',
    ':path': path,
    authorization: `Bearer ${adminToken}`,
    'content-type': 'application/json',
  });
  stream.on('error', () => undefined);
  const [{ ':status': status }] = (await once(stream, 'response')) as [{ ':status': number }];
  session.destroy();
  return status;
}

describe('broken-off request bodies', () => {
  test('leave the cluster ready', async () => {
    const session = connect(cluster.url, { rejectUnauthorized: false });
    const stream = session.request({
      ':method': 'POST',
      ':path': maps,
      authorization: `Bearer ${bobToken}`,
      'content-type': 'application/json',
    });
    stream.on('error', () => undefined);
    stream.write('{"metadata":');
    await new Promise((resolve) => setImmediate(resolve));
    session.destroy();
    assert.equal((await admin.send('GET', '/readyz')).status, 200);
  });
});
