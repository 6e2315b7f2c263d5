import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import { entryBytes } from '#shared/endpoints/forms/object-forms.ts';
import type { RequestScope } from '#shared/endpoints/request/request-scope.ts';
import { encodeJson } from '#shared/serializer/json/encode.ts';
import { encodeWatchFrame } from '#shared/serializer/protobuf/envelope.ts';
import type { CacheEntry, CacheEvent } from '#shared/watchcache/watch-cache.ts';
import { WatchEncoding } from './watch-encoding.ts';

const scope = { formId: 'v1', servesStoredJson: true, env: { facts: loadFacts() } } as RequestScope;

function encoding(): WatchEncoding {
  return new WatchEncoding(scope, 'application/json', undefined, { includeObject: 'Metadata' } as never);
}

function event(bytes: number, at: number): CacheEvent {
  const entry: CacheEntry = {
    key: `/configmaps/a/${at}`,
    namespace: 'a',
    name: String(at),
    revision: at,
    json: Buffer.from(JSON.stringify({ at, text: 'x'.repeat(bytes) })),
    labels: undefined,
    fields: undefined,
  };
  return { type: 'ADDED', entry, previous: undefined, revision: at };
}

const sizes = [10, 20, 100_000, 10, 10, 15_000, 15_000, 15_000, 20_000];
const events = sizes.map((bytes, at) => event(bytes, at));

describe('WatchEncoding', () => {
  for (const form of ['frames', 'batch'] as const) {
    test(`gives every event in order as ${form}, small events joined and large ones shared by all watches`, () => {
      const [one, other] = [encoding()[form](events), encoding()[form](events.slice())];
      assert.equal(
        Buffer.concat([...one]).toString(),
        events.map(({ entry }) => `{"type":"ADDED","object":${entry.json.toString()}}\n`).join(''),
      );
      assert.deepEqual(
        one.map(({ length }) => Math.floor(length / 1000)),
        [0, 100, 30, 15, 20],
      );
      assert.deepEqual(
        one.map((bytes, at) => bytes === other[at]),
        [false, true, false, form === 'batch', true],
      );
    });
  }

  test('keeps a small frame for other watches in memory of its own', () => {
    const [frame] = encoding().batch([event(10, 1)]);
    assert.ok(frame);
    assert.equal(frame.buffer.byteLength, frame.length);
  });

  test('gives the same protobuf frames joined as object by object', () => {
    const facts = loadFacts();
    const schema = facts.schema('', 'v1', 'ConfigMap');
    assert.ok(schema);
    const kind = { group: '', version: 'v1', kind: 'ConfigMap' };
    const inProtobuf = { ...scope, schema, kind } as RequestScope;
    const texts = ['', 'a', 'ü"\\', 'x'.repeat(100), 'x'.repeat(300), 'x'.repeat(20_000), 'y'.repeat(15_000), 'z'];
    const changes = texts.flatMap((text, at) =>
      (['ADDED', 'MODIFIED', 'DELETED'] as const).map((type) => {
        const { entry, ...rest } = event(0, at);
        const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: entry.name }, data: { text } };
        return { ...rest, type, entry: { ...entry, json: encodeJson(schema, object) } } as CacheEvent;
      }),
    );
    const made = new WatchEncoding(inProtobuf, 'application/vnd.kubernetes.protobuf', undefined, {} as never);
    const one = changes.map(({ type, entry }) =>
      encodeWatchFrame(type, entryBytes(inProtobuf, entry, 'application/vnd.kubernetes.protobuf')),
    );
    const joined = made.frames(changes);
    assert.deepEqual(Buffer.concat([...joined]), Buffer.concat(one));
    assert.ok(joined.length < one.length);
  });
});
