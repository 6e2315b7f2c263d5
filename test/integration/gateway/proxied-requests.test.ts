import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startAnyCluster, type AnyCluster } from '#test/any-cluster.ts';
import { http1Client, http2Client, type ApiClient } from '#test/api-client.ts';
import { play } from '#test/conformance/proxies/play.ts';
import { reachableAddress, startTarget, type TargetServer } from '#test/conformance/proxies/target-server.ts';
import { askExpecting } from '#test/robustness/attacks/protocol/ask-expecting.ts';
import { adminToken, bobToken, writeTokens } from '#test/tokens.ts';

/** Proxies reach no loopback address, so a machine that has no other sees the refusals only. */
const address = reachableAddress();
const pods = '/api/v1/namespaces/default/pods';
let folder: string;
let cluster: AnyCluster;
let target: TargetServer;
let admin: ApiClient;
let second: ApiClient;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'proxied-requests-'));
  cluster = await startAnyCluster({ flags: ['--token-auth-file', writeTokens(folder)] });
  target = await startTarget(address ?? '127.0.0.1');
  admin = http2Client(cluster);
  second = http1Client(cluster);
  await create('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  await makePod('p', address ?? '10.9.8.7');
  await makePod('elsewhere', '10.9.8.8');
});

after(async () => {
  admin?.close();
  second?.close();
  await cluster?.close();
  await target?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function create(path: string, body: unknown): Promise<void> {
  const { status, text } = await admin.send('POST', path, { body });
  assert.ok(status === 201 || status === 409, text);
}

async function makePod(name: string, ip: string): Promise<void> {
  await create(pods, {
    metadata: { name, labels: { app: name } },
    spec: { containers: [{ name: 'c', image: 'i', ports: [{ containerPort: target.port }] }] },
  });
  const { status, text } = await admin.send('PATCH', `${pods}/${name}/status`, {
    body: { status: { podIP: ip, podIPs: [{ ip }] } },
    headers: { 'content-type': 'application/merge-patch+json' },
  });
  assert.equal(status, 200, text);
}

async function makeEndpoints(name: string, ip: string, pod: string): Promise<void> {
  await create('/api/v1/namespaces/default/services', {
    metadata: { name },
    spec: { ports: [{ name: 'web', port: 8080 }] },
  });
  await create('/api/v1/namespaces/default/endpoints', {
    metadata: { name },
    subsets: [
      {
        addresses: [{ ip, targetRef: { kind: 'Pod', namespace: 'default', name: pod } }],
        ports: [{ name: 'web', port: target.port }],
      },
    ],
  });
}

describe('proxy to pods and services', () => {
  if (address !== undefined) {
    test("sends the client's request on to the pod without its credentials", async () => {
      const body = 'a'.repeat(300_000);
      for (const client of [admin, second]) {
        const headers = {
          'content-type': 'text/plain',
          'x-own': 'of the client',
          'x-forwarded-for': '1.2.3.4',
          'x-remote-user': 'root',
          'impersonate-user': 'admin',
          'impersonate-group': 'system:masters',
        };
        const { status, json } = await client.send('POST', `${pods}/p/proxy/a/../b%20c?x='y&z`, { body, headers });
        assert.equal(status, 200);
        assert.deepEqual([json.method, json.url, json.bytes], ['POST', "/b%20c?x='y&z", body.length]);
        const names = (json.headers as string[]).map((line) => line.split(':')[0]);
        assert.deepEqual(
          names.filter((name) => /^(?:authorization|x-remote|impersonate|x-quarterdeck|audit)/i.test(name ?? '')),
          [],
        );
        assert.ok(json.headers.includes('X-Own: of the client'));
        assert.ok(json.headers.includes('X-Forwarded-For: 1.2.3.4, 127.0.0.1'));
        assert.ok(json.headers.includes(`Host: ${new URL(cluster.url).host}`), String(json.headers));
        assert.ok(json.headers.includes(`X-Forwarded-Uri: ${pods}/p/proxy/b%20c`), String(json.headers));
      }
    });

    test('sends GET without a body, on a reused connection', async () => {
      await admin.send('GET', `${pods}/p/proxy/x`);
      const before = target.connections();
      for (const client of [admin, second, admin]) {
        const { json } = await client.send('GET', `${pods}/p/proxy/x`);
        assert.deepEqual(
          (json.headers as string[]).filter((line) => /^(?:transfer-encoding|content-length):/i.test(line)),
          [],
        );
      }
      assert.equal(target.connections(), before);
    });

    test('passes every method of the proxy on, and answers 405 to TRACE', async () => {
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
        assert.equal((await admin.send(method, `${pods}/p:${target.port}/proxy/x`)).json.method, method);
      assert.equal((await admin.send('HEAD', `${pods}/p/proxy/x`)).status, 200);
      assert.equal((await admin.send('TRACE', `${pods}/p/proxy/x`)).status, 405);
    });

    test('redirects a path without a trailing slash, and rewrites redirects of the pod to the proxy', async () => {
      const bare = await admin.send('GET', `${pods}/p/proxy?a=b`);
      assert.deepEqual([bare.status, bare.headers.location], [301, `${pods}/p/proxy/?a=b`]);
      const moved = await second.send('GET', `${pods}/http:p:/proxy/redirect-absolute`);
      assert.deepEqual([moved.status, moved.headers.location], [302, `${pods}/http:p:/proxy/elsewhere/?a=b#c`]);
    });

    test('answers 503 to a broken response of the pod, and serves the next request', async () => {
      for (const kind of ['closes', 'resets', 'garbage', 'huge-headers']) {
        const { status, json } = await admin.send('GET', `${pods}/p/proxy/${kind}`);
        assert.deepEqual([status, json.reason], [503, 'ServiceUnavailable'], kind);
        assert.match(json.message, /^error trying to reach service: /);
      }
      assert.equal((await admin.send('GET', `${pods}/p/proxy/unasked-upgrade`)).status, 500);
      await assert.rejects(second.send('GET', `${pods}/p/proxy/cut-off`));
      assert.equal((await admin.send('GET', `${pods}/p/proxy/chunked`)).text, 'one two');
    });

    test('asks clients for the body when the pod is connected, and passes its informational answers on', async () => {
      const fields = [
        ['authorization', `Bearer ${adminToken}`],
        ['expect', '100-continue'],
        ['content-length', '3'],
      ] as const;
      for (const [path, told] of [
        [`${pods}/p:${target.port}/proxy/informs`, ['100', 'body', '103', '200']],
        // Nothing listens there.
        [`${pods}/p:1/proxy/x`, ['503']],
        [`${pods}/missing/proxy/x`, ['404']],
      ] as const)
        for (const protocol of ['http/1.1', 'h2'] as const) {
          const item = { name: path, method: 'POST', path, fields, body: 'abc' };
          const words = await askExpecting(cluster.url, protocol, item);
          assert.deepEqual(
            words.filter((word) => word !== 'close'),
            told,
            `${path} over ${protocol}`,
          );
        }
    });

    test('joins client and pod after an upgrade', async () => {
      const answer = await play(cluster.url, { method: 'POST', path: `${pods}/p/proxy/up`, upgrade: 'SPDY/3.1' });
      assert.equal(answer.status, 101);
      assert.match(answer.body, /^\{"method":"POST","url":"\/up".*\}\nping$/s);
      assert.match(
        (await play(cluster.url, { method: 'GET', path: `${pods}/p/proxy/ignore`, upgrade: 'websocket' })).body,
        /invalid upgrade response: status code 200/,
      );
    });

    test('aborts the request at the pod when the client disconnects', async () => {
      for (const client of [admin, second]) {
        const gone = target.nextEndless();
        const open = await client.open(`${pods}/p/proxy/endless`);
        await open.until(1);
        open.close();
        await gone;
      }
    });

    test('reaches the endpoints of a service by number and name of a port', async () => {
      await makeEndpoints('s', address, 'p');
      for (const id of ['s:8080', 's:web', 'http:s:web'])
        assert.equal((await admin.send('GET', `/api/v1/namespaces/default/services/${id}/proxy/x`)).json.url, '/x');
      assert.match(
        (await admin.send('GET', '/api/v1/namespaces/default/services/s/proxy/x')).json.message,
        /^no endpoints available for service "s"$/,
      );
      assert.match(
        (await admin.send('GET', '/api/v1/namespaces/default/services/s:81/proxy/x')).json.message,
        /^no service port 81 found for service "s"$/,
      );
    });

    test('refuses endpoints whose address is not that of a pod in the namespace', async () => {
      await makeEndpoints('stolen', address, 'elsewhere');
      assert.deepEqual((await admin.send('GET', '/api/v1/namespaces/default/services/stolen:web/proxy/x')).status, 503);
    });
  }

  test('answers 403 to a user without rights on the proxy subresource', async () => {
    const bob = http2Client(cluster, { token: bobToken });
    for (const path of [
      `${pods}/p/proxy/x`,
      '/api/v1/namespaces/default/services/s:web/proxy/x',
      '/api/v1/nodes/n/proxy/x',
    ])
      assert.equal((await bob.send('GET', path)).status, 403);
    bob.close();
  });

  test('refuses loopback, link-local and metadata addresses of pods and nodes', async () => {
    for (const ip of ['127.0.0.1', '169.254.169.254', '::1', 'fe80::1']) {
      const name = `at-${ip.replaceAll(/[.:]/g, '-')}-x`;
      await makePod(name, ip);
      const { status, json } = await admin.send('GET', `${pods}/${name}/proxy/x`);
      assert.deepEqual([status, json.message], [400, 'address not allowed'], ip);
    }
    await create('/api/v1/nodes', { metadata: { name: 'n' } });
    await admin.send('PATCH', '/api/v1/nodes/n/status', {
      body: { status: { addresses: [{ type: 'InternalIP', address: '169.254.169.254' }] } },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    for (const id of ['n', 'n:80', 'http:n:80']) {
      const { status, json } = await admin.send('GET', `/api/v1/nodes/${id}/proxy/latest/meta-data`);
      assert.deepEqual([status, json.message], [400, 'address not allowed']);
    }
  });
});
