import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { PathElement } from '#shared/apimachinery/schema/path-element.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { atOnce, doneWith } from '#shared/apimachinery/slices/slices.ts';
import { canonicalObject } from './canonical-object.ts';
import { FieldSet } from './field-set.ts';
import { ConflictError } from './managers.ts';
import { reconcileFieldSet } from './reconcile-field-set.ts';
import { viewOfSchema } from './schema-view.ts';
import type { TypedValue } from './typed-value.ts';
import { Updater } from './updater.ts';

const facts = loadFacts();
const updater = new Updater({
  converter: { convert: (value) => doneWith(value) },
  resetFields: new Map([['v1', FieldSet.of(['status'])]]),
});

function schemaOf(group: string, kind: string): StructSchema {
  const schema = facts.schema(group, 'v1', kind);
  assert.ok(schema);
  return schema;
}

function typed(schema: StructSchema, object: JsonObject): TypedValue {
  return { value: atOnce(canonicalObject(schema, object)), type: viewOfSchema(schema) };
}

describe('canonicalObject', () => {
  test('shapes an object as its Go type prints it, and returns the same object when it has that shape', () => {
    const role = schemaOf('rbac.authorization.k8s.io', 'Role');
    assert.deepEqual(atOnce(canonicalObject(role, { metadata: { labels: {}, name: 'a' } })), {
      metadata: { name: 'a' },
      rules: null,
    });
    const printed: JsonObject = { metadata: { name: 'a' }, rules: null };
    assert.equal(atOnce(canonicalObject(role, printed)), printed);
    assert.deepEqual(
      atOnce(canonicalObject(schemaOf('', 'Pod'), { spec: { containers: [{ name: 'a', env: [], tty: false }] } })),
      {
        metadata: {},
        spec: { containers: [{ name: 'a', resources: {} }] },
        status: {},
      },
    );
  });
});

describe('Updater', () => {
  test('makes the creator of a Pod own its leaves and list items, but not its structs', () => {
    const pod = schemaOf('', 'Pod');
    const created = {
      metadata: { name: 'a', labels: { app: 'x' } },
      spec: { containers: [{ name: 'a', image: 'i', ports: [{ containerPort: 80, protocol: 'TCP' }] }] },
      status: { phase: 'Pending' },
    };
    const managers = atOnce(
      updater.update({
        live: typed(pod, { metadata: {} }),
        updated: typed(pod, created),
        apiVersion: 'v1',
        managers: new Map(),
        manager: 'm',
      }),
    );
    assert.deepEqual(
      managers
        .get('m')
        ?.set.toString()
        .split('\n')
        .filter((path) => path.startsWith('.spec')),
      [
        '.spec.containers[name="a"]',
        '.spec.containers[name="a"].image',
        '.spec.containers[name="a"].name',
        '.spec.containers[name="a"].ports',
        '.spec.containers[name="a"].resources',
        '.spec.containers[name="a"].ports[containerPort=80,protocol="TCP"]',
        '.spec.containers[name="a"].ports[containerPort=80,protocol="TCP"].containerPort',
        '.spec.containers[name="a"].ports[containerPort=80,protocol="TCP"].protocol',
      ],
    );
  });

  test('removes fields that the manager no longer applies, and reports conflicts with other owners', () => {
    const configMap = schemaOf('', 'ConfigMap');
    const live = typed(configMap, { metadata: { name: 'a' }, data: { a: '1', b: '2', c: '3' } });
    const managers = new Map([
      ['one', { set: FieldSet.of(['data', 'a'], ['data', 'b']), apiVersion: 'v1', applied: true }],
      ['two', { set: FieldSet.of(['data', 'b'], ['data', 'c']), apiVersion: 'v1', applied: false }],
    ]);
    const apply = (data: JsonObject, force: boolean) =>
      atOnce(
        updater.apply({
          live,
          config: { value: { metadata: { name: 'a' }, data }, type: live.type },
          apiVersion: 'v1',
          managers,
          manager: 'one',
          force,
        }),
      );
    assert.deepEqual((apply({ d: '4' }, false).merged.value as JsonObject)['data'], { b: '2', c: '3', d: '4' });
    assert.throws(
      () => apply({ c: '4' }, false),
      new ConflictError([{ manager: 'two', path: [PathElement.field('data'), PathElement.field('c')] }]),
    );
    const forced = apply({ c: '4' }, true);
    assert.equal(forced.managers.get('two')?.set.toString(), '.data.b');
    assert.equal(forced.managers.get('one')?.set.toString(), '.data.c\n.metadata.name');
    assert.ok(apply({ a: '1', b: '2' }, false).unchanged);
  });
});

describe('reconcileFieldSet', () => {
  test('turns ownership of a part of an atomic field into ownership of the whole field', () => {
    const deployment = viewOfSchema(schemaOf('apps', 'Deployment'));
    const set = FieldSet.of(['spec', 'selector', 'matchLabels', 'app'], ['spec', 'replicas']);
    assert.equal(reconcileFieldSet(set, deployment).toString(), '.spec.replicas\n.spec.selector');
    const same = FieldSet.of(['spec', 'selector'], ['spec', 'replicas']);
    assert.equal(reconcileFieldSet(same, deployment), same);
  });
});
