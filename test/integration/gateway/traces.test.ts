import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import { TestCollector, type SentSpan } from '#shared/tracing/testing/test-collector.ts';
import { startAnyCluster, type AnyCluster } from '#test/any-cluster.ts';
import { http2Client, type ApiClient } from '#test/api-client.ts';
import { bobToken, writeTokens } from '#test/tokens.ts';

const client = 'b7ad6b7169203331';
const hook = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
let folder: string;
let collector: TestCollector;
let cluster: AnyCluster;
let admin: ApiClient;
let webhook: Server;
/** Headers of the calls of the webhook. */
const called: string[] = [];

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'traces-'));
  collector = new TestCollector();
  await collector.open();
  const file = join(folder, 'tracing.yaml');
  const kind = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'TracingConfiguration' };
  writeFileSync(file, JSON.stringify({ ...kind, endpoint: collector.endpoint }));
  cluster = await startAnyCluster({ flags: ['--tracing-config-file', file, '--token-auth-file', writeTokens(folder)] });
  admin = http2Client(cluster);
  const ca = await createTestCa('CN=webhook-ca');
  webhook = createServer(await ca.issue('CN=webhook', 'server', undefined, 'localhost'), (request, response) => {
    called.push(String(request.headers['traceparent']));
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      const {
        apiVersion,
        kind: review,
        request: { uid },
      } = JSON.parse(text) as {
        apiVersion: string;
        kind: string;
        request: { uid: string };
      };
      response.end(JSON.stringify({ apiVersion, kind: review, response: { uid, allowed: true } }));
    });
  });
  await new Promise<void>((resolve) => webhook.listen(0, '127.0.0.1', resolve));
  const { port } = webhook.address() as AddressInfo;
  const { status } = await admin.send('POST', hook, {
    body: {
      metadata: { name: 'hook' },
      webhooks: [
        {
          name: 'hook.a.io',
          clientConfig: { url: `https://localhost:${port}/`, caBundle: Buffer.from(ca.cert).toString('base64') },
          rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    },
  });
  assert.equal(status, 201);
});

after(async () => {
  webhook?.close();
  admin?.close();
  await cluster?.close();
  await collector?.close();
  rmSync(folder, { recursive: true, force: true });
});

function headersOf(traceId: string): Record<string, string> {
  return { traceparent: `00-${traceId}-${client}-01`, 'content-type': 'application/json' };
}

/** The spans of a trace, each below its parent, once the last one of the gateway has come. */
async function treeOf(traceId: string, rootName: string): Promise<string[]> {
  const ofTrace = (): SentSpan[] => collector.spans.filter((span) => span.traceId === traceId);
  await collector.until(() => {
    const names = ofTrace().map(({ name }) => name);
    return names.includes(rootName) && names.includes('SerializeObject');
  });
  const spans = ofTrace();
  const lines: string[] = [];
  const print = (parentId: string, depth: number): void => {
    for (const span of spans.filter((one) => one.parentId === parentId)) {
      lines.push('  '.repeat(depth) + span.name);
      print(span.spanId, depth + 1);
    }
  };
  print(client, 0);
  assert.equal(lines.length, spans.length, 'each span has its parent in the trace');
  return lines;
}

const chain = ['  audit', '    constrainedimpersonation', '      priorityandfairness', '        authorization'];

describe('a trace', () => {
  test('of a create leads through gateway, core, its webhook and the store', { timeout: 120_000 }, async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const path = '/api/v1/namespaces/default/configmaps';
    // Webhooks act once their configuration has come to the watch cache.
    for (let index = 0; called.length === 0; index++)
      await admin.send('POST', path, { body: { metadata: { name: `before-${index}` } } });
    called.length = 0;
    const { status } = await admin.send('POST', path, {
      body: { metadata: { name: 'a' } },
      headers: headersOf(traceId),
    });
    assert.equal(status, 201);
    assert.match(called[0] ?? '', new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
    const root = 'POST /api/v1/namespaces/{:namespace}/configmaps';
    assert.deepEqual(await treeOf(traceId, root), [
      root,
      ...chain,
      '          HTTP POST',
      '            Create',
      '              Call validating webhook',
      '                HTTP POST',
      '              Create etcd3',
      '                etcdserverpb.KV/Txn',
      '              SerializeObject',
    ]);
  });

  test('of a GET of an object contains the read that makes it current', { timeout: 120_000 }, async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319d';
    await admin.send('GET', '/api/v1/namespaces/default', { headers: headersOf(traceId) });
    const root = 'GET /api/v1/namespaces/{:namespace}/namespaces/{:name}';
    assert.deepEqual(await treeOf(traceId, root), [
      root,
      ...chain,
      '          HTTP GET',
      '            Get',
      '              cacher.Get',
      '                etcdserverpb.KV/Range',
      '              SerializeObject',
    ]);
  });

  test('is not begun or joined for a client that is not trusted', { timeout: 120_000 }, async () => {
    const [mine, after] = ['0af7651916cd43dd8448eb211c80319e', '0af7651916cd43dd8448eb211c80319f'];
    const bob = http2Client(cluster, { token: bobToken });
    await bob.send('GET', '/api', {
      headers: { ...headersOf(mine), 'x-quarterdeck-trace': `00-${mine}-${client}-01` },
    });
    bob.close();
    await admin.send('GET', '/api/v1/nodes', { headers: headersOf(after) });
    await treeOf(after, 'GET /api/v1/nodes');
    assert.deepEqual(
      collector.spans.filter(({ traceId }) => traceId === mine),
      [],
    );
  });
});
