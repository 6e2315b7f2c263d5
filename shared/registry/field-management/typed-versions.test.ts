import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { viewOfSchema } from '#shared/apimachinery/managed-fields/schema-view.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { conform } from '#shared/serializer/json/conform.ts';
import { jsonText } from '#shared/serializer/json/encode.ts';
import { podFixture } from '#shared/serializer/testdata/bench-objects.ts';
import { TypedVersions } from './typed-versions.ts';

const facts = loadFacts();

function printed(group: string, kind: string, object: JsonObject): { versions: TypedVersions; object: KubeObject } {
  const schema = facts.schema(group, 'v1', kind);
  assert.ok(schema !== undefined);
  const own = { kind: { group, version: 'v1', kind }, schema, view: viewOfSchema(schema) };
  const versions = new TypedVersions({ own, other: () => undefined, convert: (value) => value });
  const conformed = atOnce(conform(schema, { kind, ...object }, { strict: false })).object;
  return { versions, object: asKubeObject(JSON.parse(jsonText(schema, conformed)) as JsonObject) };
}

const managed = { name: 'a', managedFields: [{ manager: 'm', operation: 'Update', apiVersion: 'v1' }], labels: {} };

describe('TypedVersions', () => {
  test('makes the same value of an object that is said to be printed', () => {
    for (const { versions, object } of [
      printed('', 'Pod', { ...podFixture, apiVersion: 'v1' }),
      printed('', 'Service', { metadata: managed, spec: { ports: [{ port: 80 }], selector: {} } }),
      printed('rbac.authorization.k8s.io', 'ClusterRole', { metadata: managed, rules: null }),
      printed('apps', 'ControllerRevision', { metadata: managed, data: { b: 1, a: [] }, revision: 1 }),
    ]) {
      const before = JSON.stringify(object);
      assert.deepEqual(atOnce(versions.typed(object, true)), atOnce(versions.typed(object)));
      assert.equal(JSON.stringify(object), before);
    }
  });
});
