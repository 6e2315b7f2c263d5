import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import { http2Client } from '#test/api-client.ts';
import type { ApiClient } from '#test/api-client.ts';
import { processOf } from '#test/cluster-processes.ts';
import { startCluster } from '#test/cluster.ts';
import type { Cluster } from '#test/cluster.ts';

const aggregated = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' };
const withinMs = 1000;

/** How servers of users misbehave, by the first label of their group; all answer what availability asks for. */
const misbehaviour: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  slow: (_request, response) => {
    setTimeout(() => response.end('{}'), 10_000).unref();
  },
  broken: (_request, response) => {
    response.writeHead(200, { 'content-type': aggregated.accept }).end('{"items":[{');
  },
  large: (_request, response) => {
    response.writeHead(200, { 'content-type': aggregated.accept }).end(`{"items":[${'{},'.repeat(3_500_000)}{}]}`);
  },
  wrong: (_request, response) => {
    const versions = [
      {
        version: 'v1',
        resources: [
          {
            resource: 'pods',
            responseKind: { group: '', version: '', kind: 'Pod' },
            scope: 'Namespaced',
            singularResource: 'pod',
            verbs: ['get'],
          },
        ],
      },
    ];
    response.writeHead(200, { 'content-type': aggregated.accept }).end(
      JSON.stringify({
        items: [
          { metadata: { name: 'apps' }, versions },
          { metadata: { name: '' }, versions },
        ],
      }),
    );
  },
};
const names = Object.keys(misbehaviour);

let cluster: Cluster;
let admin: ApiClient;
let server: Server;

before(async () => {
  cluster = await startCluster();
  admin = http2Client(cluster);
  const ca = await createTestCa('CN=hanging-ca');
  const serving = await ca.issue('CN=s', 'server', undefined, 's.default.svc');
  server = createServer({ key: serving.key, cert: serving.cert }, (request, response) => {
    const group = /^\/apis\/(\w+)\.example\/v1$/.exec(request.url ?? '')?.[1];
    const user = String(request.headers['x-remote-user']);
    if (group !== undefined && user === 'system:kube-aggregator' && request.headers['accept'] === undefined)
      response.end('{}');
    else (misbehaviour[group ?? current] ?? old)(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await create('/api/v1/namespaces/default/services', {
    metadata: { name: 's' },
    spec: { type: 'ExternalName', externalName: 'localhost' },
  });
  // The first one takes as long as it takes to make the documents.
  for (const document of ['/openapi/v3', '/openapi/v2']) await admin.send('GET', document);
  registration = (name) => ({
    metadata: { name: `v1.${name}.example` },
    spec: {
      group: `${name}.example`,
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 10,
      caBundle: Buffer.from(ca.cert).toString('base64'),
      service: { namespace: 'default', name: 's', port },
    },
  });
});

after(async () => {
  admin?.close();
  server?.close();
  server?.closeAllConnections();
  await cluster?.close();
});

/** Which of them the server is, at paths that do not tell. */
let current = '';
let old: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
let registration: (name: string) => object;

describe('discovery beside misbehaving servers', () => {
  for (const name of names) {
    test(`stays fast, with its group stale or empty, when a server's documents are ${name}`, async () => {
      current = name;
      const baseline = await groups();
      await create('/apis/apiregistration.k8s.io/v1/apiservices', registration(name));
      const path = `/apis/apiregistration.k8s.io/v1/apiservices/v1.${name}.example`;
      while ((await admin.send('GET', path)).json.status?.conditions?.[0]?.status !== 'True') await pause(20);
      for (let round = 0; round < 5; round++) {
        const found = await groups();
        const own = found.get(`${name}.example`);
        assert.deepEqual(
          [own?.[0]?.freshness === 'Current' && name !== 'wrong', own?.[0]?.resources ?? []],
          [false, []],
        );
        found.delete(`${name}.example`);
        assert.deepEqual(found, baseline);
        await pause(50);
      }
      for (const document of ['/openapi/v3', '/openapi/v2']) await quick(document, {});
      await admin.send('DELETE', path);
      while ((await groups()).has(`${name}.example`)) await pause(20);
    });
  }

  for (const name of ['core', 'extensions'] as const) {
    test(`answers with the last documents of ${name} while it hangs`, async () => {
      const before = await groups();
      await quick('/openapi/v3', {});
      const index = (await admin.send('GET', '/openapi/v3')).json;
      const pid = processOf(cluster, name) ?? 0;
      // A change meanwhile: what is asked for is not lying ready.
      process.kill(pid, 'SIGSTOP');
      try {
        await create('/apis/apiregistration.k8s.io/v1/apiservices', registration('slow'));
        for (let round = 0; round < 3; round++) {
          const found = await groups();
          found.delete('slow.example');
          assert.deepEqual(found, before);
          await quick('/apis', {});
          await quick('/openapi/v3', {});
        }
        assert.deepEqual((await admin.send('GET', '/openapi/v3')).json, index);
      } finally {
        process.kill(pid, 'SIGCONT');
      }
      await admin.send('DELETE', '/apis/apiregistration.k8s.io/v1/apiservices/v1.slow.example');
      while ((await groups()).has('slow.example')) await pause(20);
    });
  }

  test('converts the OpenAPI v2 document of a server without v3', async () => {
    const document = {
      swagger: '2.0',
      info: { title: 'old', version: '1' },
      paths: {
        '/apis/old.example/v1/fruits': {
          get: {
            operationId: 'list',
            produces: ['application/json'],
            responses: { 200: { description: 'OK', schema: { $ref: '#/definitions/Fruit' } } },
          },
        },
      },
      definitions: { Fruit: { type: 'object' } },
    };
    old = (request, response) => {
      if (request.url === '/openapi/v2') response.writeHead(200, { etag: '"1"' }).end(JSON.stringify(document));
      else response.writeHead(404).end();
    };
    current = 'old';
    await create('/apis/apiregistration.k8s.io/v1/apiservices', registration('old'));
    const name = 'apis/old.example/v1';
    let entry: { serverRelativeURL: string } | undefined;
    while (entry === undefined)
      entry = (JSON.parse(await quick('/openapi/v3', {})) as { paths: Record<string, { serverRelativeURL: string }> })
        .paths[name];
    const { json, headers } = await admin.send('GET', entry.serverRelativeURL);
    assert.deepEqual(json.paths['/apis/old.example/v1/fruits'].get.responses['200'].content, {
      'application/json': { schema: { $ref: '#/components/schemas/Fruit' } },
    });
    assert.equal(entry.serverRelativeURL, `/openapi/v3/${name}?hash=${headers.etag?.replaceAll('"', '')}`);
    assert.equal(
      (await admin.send('GET', `/openapi/v3/${name}`, { headers: { 'if-none-match': headers.etag ?? '' } })).status,
      304,
    );
    assert.deepEqual(
      [(await admin.send('GET', `/openapi/v3/${name}?hash=x`)).headers.location],
      [entry.serverRelativeURL],
    );
    await admin.send('DELETE', '/apis/apiregistration.k8s.io/v1/apiservices/v1.old.example');
  });
});

interface Version {
  readonly version: string;
  readonly freshness: string;
  readonly resources?: readonly object[];
}

/** Versions by group, from the aggregated document. */
async function groups(): Promise<Map<string, readonly Version[]>> {
  const { items } = JSON.parse(await quick('/apis', aggregated)) as {
    items: { metadata: { name: string }; versions: Version[] }[];
  };
  return new Map(items.map(({ metadata, versions }) => [metadata.name, versions]));
}

async function quick(path: string, headers: Record<string, string>): Promise<string> {
  const since = performance.now();
  const { status, text } = await admin.send('GET', path, { headers });
  const tookMs = performance.now() - since;
  assert.equal(status, 200, `${path}: ${text}`);
  assert.ok(tookMs < withinMs, `${path} took ${Math.round(tookMs)} ms`);
  return text;
}

async function create(path: string, body: object): Promise<void> {
  const answer = await admin.send('POST', path, { body });
  assert.equal(answer.status, 201, answer.text);
}
