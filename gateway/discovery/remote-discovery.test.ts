import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { RemoteServer } from '#gateway/remote/remote-server.ts';
import { startRemote } from '#gateway/remote/testing/remote-rig.ts';
import type { Serve } from '#gateway/remote/testing/remote-rig.ts';
import type { APIVersionDiscovery } from '#shared/endpoints/discovery/api-group-discovery.ts';
import { RemoteDiscovery } from './remote-discovery.ts';

const name = 'v1.f.io';
const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const cleanups: (() => void)[] = [];
after(() => {
  for (const cleanup of cleanups) cleanup();
});

async function start(
  serve: Serve,
): Promise<{ discovery: RemoteDiscovery; changed: Promise<void>; forget: () => void }> {
  const rig = await startRemote(serve);
  const changed = Promise.withResolvers<void>();
  let server: RemoteServer | undefined = rig.remote;
  const discovery = new RemoteDiscovery({ server: () => server, onChange: () => changed.resolve() });
  cleanups.push(() => {
    discovery.close();
    rig.close();
  });
  discovery.refresh(name);
  return {
    discovery,
    changed: changed.promise,
    forget: () => {
      server = undefined;
      discovery.refresh(name);
    },
  };
}

function versionOf(discovery: RemoteDiscovery): APIVersionDiscovery | undefined {
  return discovery.source(name, 'f.io').groups?.[0]?.versions[0];
}

describe('RemoteDiscovery', () => {
  test('takes one group version from an aggregated document, and drops unknown fields of its resources', async () => {
    const resource = {
      resource: 'fruits',
      responseKind: { kind: 'Fruit', group: '', version: '' },
      scope: 'Namespaced',
      singularResource: 'fruit',
      verbs: ['get'],
      surprise: { a: 1 },
    };
    const versions = [
      { version: 'v2', resources: [] },
      { version: 'v1', resources: [resource], freshness: 'Stale' },
    ];
    const { discovery, changed } = await start((_request, response) => {
      response.writeHead(200, { 'content-type': aggregatedType }).end(
        JSON.stringify({
          items: [
            { metadata: { name: 'pods' }, versions: [] },
            { metadata: { name: 'f.io' }, versions },
          ],
        }),
      );
    });
    assert.deepEqual(discovery.source(name, 'f.io'), { groups: undefined, stale: true });
    await changed;
    const { surprise: _surprise, ...shown } = resource;
    assert.deepEqual(versionOf(discovery), { version: 'v1', resources: [shown], freshness: 'Current' });
  });

  test('leaves the scope empty when the aggregated document gives none', async () => {
    const resource = { resource: 'fruits', verbs: ['get'] };
    const { discovery, changed } = await start((_request, response) => {
      response.writeHead(200, { 'content-type': aggregatedType }).end(
        JSON.stringify({
          items: [{ metadata: { name: 'f.io' }, versions: [{ version: 'v1', resources: [resource] }] }],
        }),
      );
    });
    await changed;
    assert.equal(versionOf(discovery)?.resources?.[0]?.scope, '');
  });

  test('falls back to the legacy discovery documents', async () => {
    const lines = [
      {
        name: 'fruits',
        singularName: 'fruit',
        namespaced: true,
        kind: 'Fruit',
        verbs: ['get', 'list'],
        shortNames: ['fr'],
      },
      { name: 'fruits/scale', namespaced: true, group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: ['get'] },
    ];
    const { discovery, changed } = await start((request, response) => {
      if (request.url === '/apis')
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"kind":"APIGroupList","groups":[]}');
      else
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ kind: 'APIResourceList', groupVersion: 'f.io/v1', resources: lines }));
    });
    await changed;
    assert.deepEqual(versionOf(discovery), {
      version: 'v1',
      freshness: 'Current',
      resources: [
        {
          resource: 'fruits',
          responseKind: { group: '', version: '', kind: 'Fruit' },
          scope: 'Namespaced',
          singularResource: 'fruit',
          verbs: ['get', 'list'],
          shortNames: ['fr'],
          subresources: [
            {
              subresource: 'scale',
              responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
              verbs: ['get'],
            },
          ],
        },
      ],
    });
  });

  test('is current, without the group version, when the server lists other groups only', async () => {
    const { discovery, changed } = await start((_request, response) => {
      response
        .writeHead(200, { 'content-type': aggregatedType })
        .end(JSON.stringify({ items: [{ metadata: { name: 'apps' }, versions: [{ version: 'v1' }] }] }));
    });
    await changed;
    assert.deepEqual(discovery.source(name, 'f.io'), { groups: [], stale: false });
  });

  const lies: Readonly<Record<string, string>> = {
    'bad JSON': '{"items":[',
    'a list': '[]',
    'ten megabytes': `{"items":"${'x'.repeat(10 * 1024 * 1024)}"}`,
    nothing: '',
  };

  for (const [what, body] of Object.entries(lies)) {
    test(`is stale and without resources when the document is ${what}`, async () => {
      let asked = 0;
      const again = Promise.withResolvers<void>();
      const { discovery } = await start((_request, response) => {
        if (++asked === 2) again.resolve();
        response.writeHead(200, { 'content-type': aggregatedType }).end(body);
      });
      await again.promise;
      assert.deepEqual(discovery.source(name, 'f.io'), { groups: undefined, stale: true });
    });
  }

  test('forgets the resources of an unregistered server', async () => {
    const { discovery, changed, forget } = await start((_request, response) => {
      response
        .writeHead(200, { 'content-type': aggregatedType })
        .end(JSON.stringify({ items: [{ metadata: { name: 'f.io' }, versions: [{ version: 'v1' }] }] }));
    });
    await changed;
    assert.equal(discovery.source(name, 'f.io').stale, false);
    forget();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(discovery.source(name, 'f.io').stale, true);
  });
});
