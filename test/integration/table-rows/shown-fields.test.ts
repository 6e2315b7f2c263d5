import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { parseGroupVersionKind } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { podFixture } from '#shared/serializer/testdata/bench-objects.ts';
import { rowsOfKind } from './rows-of-kinds.ts';

const inputs = JSON.parse(readFileSync(new URL('./testdata/inputs.json', import.meta.url), 'utf8')) as JsonObject[];

describe('fields that a Table row reads', () => {
  test('give the same row as the whole object', () => {
    const seen = new Set<string>();
    for (const object of [...inputs, podFixture]) {
      const kind = parseGroupVersionKind(String(object['apiVersion']), String(object['kind']));
      const projection = rowsOfKind(kind).reads;
      if (projection === undefined) continue;
      seen.add(kind.kind);
      const part = JSON.parse(projection.textOf(Buffer.from(JSON.stringify(object)))) as JsonObject;
      assert.deepEqual(rowsOfKind(kind).print(part), rowsOfKind(kind).print(object), JSON.stringify(object));
    }
    assert.deepEqual([...seen].toSorted(), [
      'ConfigMap',
      'DaemonSet',
      'Deployment',
      'Job',
      'Namespace',
      'Node',
      'Pod',
      'ReplicaSet',
      'ReplicationController',
      'Secret',
      'ServiceAccount',
      'StatefulSet',
    ]);
  });

  test("are taken from the object's own metadata and data only", () => {
    const projection = rowsOfKind({ group: '', kind: 'ConfigMap' }).reads;
    const text = (object: JsonObject): string | undefined => projection?.textOf(Buffer.from(JSON.stringify(object)));
    const long = '"\\é'.repeat(20_000);
    assert.equal(
      text({
        kind: 'ConfigMap',
        metadata: { labels: { name: 'x' }, name: long, managedFields: [{ name: 'y' }] },
        data: { [long]: long, b: '', __proto: 'c' },
      }),
      `{"metadata":{"name":${JSON.stringify(long)}},"data":{${JSON.stringify(long)}:"","b":"","__proto":""}}`,
    );
    assert.equal(text({ metadata: {}, data: null, binaryData: {} }), '{"metadata":{},"data":null,"binaryData":{}}');
    assert.equal(text({}), '{}');
  });
});
