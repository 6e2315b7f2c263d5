import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { InProcess } from './in-process.ts';

const server = new InProcess([{ group: '', resource: 'configmaps', strategy: { generation: 'none' } }]);
after(() => server.close());

const maps = '/api/v1/namespaces/lists/configmaps';

before(async () => {
  for (const [name, labels] of [
    ['a', { app: 'x' }],
    ['b', { app: 'x' }],
    ['c', { app: 'y' }],
    ['d', {}],
    ['e', { app: 'z' }],
  ] as const) {
    await server.send('POST', maps, { metadata: { name, labels } });
  }
});

interface List {
  readonly kind: string;
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: {
    readonly kind?: string;
    readonly metadata: { readonly name: string; readonly resourceVersion: string };
  }[];
}

async function list(
  query = '',
  headers: Record<string, string> = {},
): Promise<{ status: number; names: string[]; list: List; message: string }> {
  const { status, body } = await server.send('GET', maps + query, undefined, headers);
  const found = body as unknown as List & { message: string };
  return { status, list: found, message: found.message, names: (found.items ?? []).map((item) => item.metadata.name) };
}

describe('lists', () => {
  test('leave kind out of their items', async () => {
    const { list: found, names } = await list();
    assert.equal(found.kind, 'ConfigMapList');
    assert.deepEqual(names, ['a', 'b', 'c', 'd', 'e']);
    assert.ok(found.items.every((item) => item.kind === undefined));
  });

  test('select by labels and fields', async () => {
    assert.deepEqual((await list('?labelSelector=app%3Dx')).names, ['a', 'b']);
    assert.deepEqual((await list('?labelSelector=!app')).names, ['d']);
    assert.deepEqual((await list('?fieldSelector=metadata.name%3Dc')).names, ['c']);
    assert.equal(
      (await list('?fieldSelector=data.n%3Da')).message,
      '"data.n" is not a known field selector: only "metadata.name", "metadata.namespace"',
    );
  });

  test('stay at one revision across chunks', async () => {
    const first = await list('?limit=2');
    assert.deepEqual(first.names, ['a', 'b']);
    assert.equal(first.list.metadata.remainingItemCount, 3);
    await server.send('POST', maps, { metadata: { name: 'bb' } });
    const rest = await list(`?continue=${first.list.metadata.continue ?? ''}`);
    assert.deepEqual(rest.names, ['c', 'd', 'e']);
    assert.equal(rest.list.metadata.resourceVersion, first.list.metadata.resourceVersion);
    await server.send('DELETE', `${maps}/bb`);
  });

  test('ignore limit at resourceVersion 0, and refuse continue with a resourceVersion', async () => {
    assert.equal((await list('?limit=2&resourceVersion=0')).names.length, 5);
    const { list: found } = await list('?limit=2');
    const refused = await list(`?continue=${found.metadata.continue ?? ''}&resourceVersion=5`);
    assert.equal(refused.status, 400);
    assert.equal(refused.message, 'specifying resource version is not allowed when using continue');
  });

  test('return the past for resourceVersionMatch=Exact', async () => {
    const { list: whole } = await list();
    const version = whole.items[1]?.metadata.resourceVersion ?? '';
    assert.deepEqual((await list(`?resourceVersion=${version}&resourceVersionMatch=Exact`)).names, ['a', 'b']);
  });

  test('refuse contradictory and malformed options', async () => {
    const { status, message } = await list('?resourceVersionMatch=Exact');
    assert.equal(status, 422);
    assert.equal(
      message,
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    );
    assert.equal((await list('?limit=abc')).message, 'strconv.ParseInt: parsing "abc": invalid syntax');
    assert.equal(
      (await list('?resourceVersion=abc')).message,
      'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    );
  });

  test('have one row an object as a Table, and only metadata as PartialObjectMetadataList', async () => {
    const table = await server.send('GET', maps, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
    const rows = (table.body as unknown as { rows: { cells: unknown[]; object: { kind: string } }[] }).rows;
    assert.deepEqual(
      rows.map((row) => row.cells[0]),
      ['a', 'b', 'c', 'd', 'e'],
    );
    assert.equal(rows[0]?.object.kind, 'PartialObjectMetadata');
    const metadata = await list('', { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' });
    assert.deepEqual(
      metadata.list.items.map((item) => Object.keys(item)),
      Array.from({ length: 5 }, () => ['kind', 'apiVersion', 'metadata']),
    );
  });

  test('have one envelope in protobuf', async () => {
    const { headers, bytes } = await server.send('GET', maps, undefined, {
      accept: 'application/vnd.kubernetes.protobuf',
    });
    assert.equal(headers['content-type'], 'application/vnd.kubernetes.protobuf');
    assert.equal(bytes.toString('latin1', 0, 4), 'k8s\0');
    assert.ok(bytes.includes('ConfigMapList'));
  });
});
