import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startAnyCluster } from '#test/any-cluster.ts';
import type { AnyCluster } from '#test/any-cluster.ts';
import { http1Client, http2Client } from '#test/api-client.ts';
import type { ApiClient } from '#test/api-client.ts';

// Through TLS, the gateway, core and the store; each of these over both protocols.

const maps = '/api/v1/namespaces/default/configmaps';
const protobuf = 'application/vnd.kubernetes.protobuf';

interface Event {
  readonly type: string;
  readonly object: {
    readonly kind: string;
    readonly metadata: {
      readonly name: string;
      readonly resourceVersion: string;
      readonly annotations?: Record<string, string>;
    };
  };
}

let cluster: AnyCluster;
const clients: Record<string, ApiClient> = {};
before(async () => {
  cluster = await startAnyCluster();
  Object.assign(clients, { h1: http1Client(cluster), h2: http2Client(cluster) });
});
after(async () => {
  for (const client of Object.values(clients)) client.close();
  await cluster.close();
});

function parse(lines: readonly string[]): Event[] {
  return lines.map((line) => JSON.parse(line) as Event);
}

describe('objects through the gateway', () => {
  for (const protocol of ['h1', 'h2'] as const) {
    const client = (): ApiClient => clients[protocol] as ApiClient;
    const named = (name: string): string => `${protocol}-${name}`;

    test(`are created, read, replaced, patched and deleted over ${protocol}`, async () => {
      const at = `${maps}/${named('crud')}`;
      const created = await client().send('POST', maps, {
        body: { metadata: { name: named('crud') }, data: { a: '1' } },
      });
      assert.equal(created.status, 201, created.text);
      const read = await client().send('GET', at);
      assert.equal(read.text, created.text);
      const replaced = await client().send('PUT', at, { body: { ...read.json, data: { a: '2' } } });
      assert.equal(replaced.status, 200, replaced.text);
      assert.equal((await client().send('PUT', at, { body: { ...read.json, data: { a: '3' } } })).status, 409);
      for (const [type, body] of [
        ['application/merge-patch+json', { data: { m: '1' } }],
        ['application/strategic-merge-patch+json', { data: { s: '1' } }],
        ['application/json-patch+json', [{ op: 'add', path: '/data/j', value: '1' }]],
      ] as const) {
        const patched = await client().send('PATCH', at, { body, headers: { 'content-type': type } });
        assert.equal(patched.status, 200, patched.text);
      }
      assert.deepEqual((await client().send('GET', at)).json.data, { a: '2', j: '1', m: '1', s: '1' });
      assert.equal((await client().send('DELETE', at)).status, 200);
      const gone = await client().send('GET', at);
      assert.deepEqual([gone.status, gone.json.reason], [404, 'NotFound']);
    });

    test(`are listed in chunks of one revision over ${protocol}`, async () => {
      const selector = `labelSelector=chunks%3D${protocol}`;
      for (const name of ['a', 'b', 'c', 'd', 'e']) {
        await client().send('POST', maps, { body: { metadata: { name: named(name), labels: { chunks: protocol } } } });
      }
      const names: string[] = [];
      const versions = new Set<string>();
      let token: string | undefined = '';
      for (let chunk = 0; token !== undefined; chunk++) {
        const { json } = await client().send(
          'GET',
          `${maps}?limit=2&${selector}${token === '' ? '' : `&continue=${encodeURIComponent(token)}`}`,
        );
        names.push(...json.items.map((item: Event['object']) => item.metadata.name));
        versions.add(json.metadata.resourceVersion as string);
        token = json.metadata.continue as string | undefined;
        // What comes later is not in it.
        if (chunk === 0)
          await client().send('POST', maps, { body: { metadata: { name: named('z'), labels: { chunks: protocol } } } });
      }
      assert.deepEqual(names, ['a', 'b', 'c', 'd', 'e'].map(named));
      assert.equal(versions.size, 1);
    });

    test(`are watched in order from the revision of a list over ${protocol}`, async () => {
      const { json } = await client().send('GET', maps);
      const watch = await client().open(
        `${maps}?watch=1&resourceVersion=${json.metadata.resourceVersion}&fieldSelector=metadata.name%3D${named('watched')}`,
      );
      assert.equal(watch.status, 200);
      const at = `${maps}/${named('watched')}`;
      await client().send('POST', maps, { body: { metadata: { name: named('watched') } } });
      await client().send('PATCH', at, {
        body: { data: { a: 'b' } },
        headers: { 'content-type': 'application/merge-patch+json' },
      });
      await client().send('DELETE', at);
      const events = parse(await watch.until(3));
      assert.deepEqual(
        events.map(({ type }) => type),
        ['ADDED', 'MODIFIED', 'DELETED'],
      );
      const versions = events.map(({ object }) => Number(object.metadata.resourceVersion));
      assert.deepEqual(
        versions,
        versions.toSorted((a, b) => a - b),
      );
      watch.close();
    });

    test(`are streamed before a watch, up to a bookmark, over ${protocol}`, async () => {
      await client().send('POST', maps, { body: { metadata: { name: named('initial'), labels: { list: protocol } } } });
      const watch = await client().open(
        `${maps}?watch=1&labelSelector=list%3D${protocol}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
      );
      const [first, mark] = parse(await watch.until(2));
      assert.deepEqual([first?.type, first?.object.metadata.name], ['ADDED', named('initial')]);
      assert.equal(mark?.type, 'BOOKMARK');
      assert.equal(mark.object.metadata.annotations?.['k8s.io/initial-events-end'], 'true');
      watch.close();
    });

    test(`end a watch cleanly after timeoutSeconds over ${protocol}`, async () => {
      const watch = await client().open(`${maps}?watch=1&timeoutSeconds=1`);
      assert.equal(await watch.ended, true);
    });

    test(`are read and created in protobuf over ${protocol}`, async () => {
      await client().send('POST', maps, { body: { metadata: { name: named('proto') }, data: { k: 'v' } } });
      const read = await client().send('GET', `${maps}/${named('proto')}`, { headers: { accept: protobuf } });
      assert.equal(read.headers['content-type'], protobuf);
      assert.equal(read.bytes.toString('latin1', 0, 4), 'k8s\0');
      await client().send('DELETE', `${maps}/${named('proto')}`);
      // With its uid and resourceVersion an object would be refused; those are cleared or checked by PUT only.
      const listed = await client().send('GET', maps, { headers: { accept: `${protobuf},application/json` } });
      assert.equal(listed.headers['content-type'], protobuf);
      const sent = await client().send('POST', maps, {
        body: protobufConfigMap(named('proto')),
        headers: { 'content-type': protobuf },
      });
      assert.equal(sent.status, 201, sent.text);
      assert.deepEqual(sent.json.data, { k: 'v' });
    });

    test(`are shown as the Tables of kubectl over ${protocol}`, async () => {
      const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
      const { json } = await client().send('GET', '/api/v1/namespaces', { headers: { accept } });
      assert.equal(json.kind, 'Table');
      assert.deepEqual(
        json.columnDefinitions.map((column: { name: string }) => column.name),
        ['Name', 'Status', 'Age'],
      );
      assert.deepEqual(
        json.rows.map((row: { cells: string[] }) => row.cells.slice(0, 2)),
        [
          ['default', 'Active'],
          ['kube-node-lease', 'Active'],
          ['kube-public', 'Active'],
          ['kube-system', 'Active'],
        ],
      );
    });
  }
});

/** `v1` ConfigMap with data k: v in the envelope of Kubernetes, written by hand. */
function protobufConfigMap(name: string): Buffer {
  const field = (number: number, ...content: (string | Buffer)[]): Buffer => {
    const bytes = Buffer.concat(content.map((part) => Buffer.from(part)));
    return Buffer.concat([Buffer.from([number * 8 + 2, bytes.length]), bytes]);
  };
  const map = Buffer.concat([field(1, field(1, name)), field(2, field(1, 'k'), field(2, 'v'))]);
  return Buffer.concat([Buffer.from('k8s\0'), field(1, field(1, 'v1'), field(2, 'ConfigMap')), field(2, map)]);
}
