import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { KubeObject, ManagedFieldsEntry } from '#shared/apimachinery/object.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { keepManagerTimes } from './keep-times.ts';

const schema = loadFacts().schema('', 'v1', 'ConfigMap') as StructSchema;

const entry = (manager: string, time: string, more: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry => ({
  manager,
  operation: 'Update',
  apiVersion: 'v1',
  time,
  ...more,
});

function configMap(managedFields: ManagedFieldsEntry[] | undefined, more: object = {}): KubeObject {
  return { metadata: { name: 'c', ...(managedFields && { managedFields }) }, data: { a: 'b' }, ...more };
}

const early = '2026-01-01T00:00:00Z';
const late = '2026-01-01T00:01:00Z';

describe('keepManagerTimes', () => {
  const cases: [what: string, now: KubeObject, old: KubeObject, isKept: boolean][] = [
    ['one manager has another time', configMap([entry('m', late)]), configMap([entry('m', early)]), true],
    [
      'one of two managers has another time',
      configMap([entry('m', early), entry('n', late)]),
      configMap([entry('m', early), entry('n', early)]),
      true,
    ],
    [
      'an empty member was left out',
      configMap([entry('m', late)], { binaryData: {} }),
      configMap([entry('m', early)]),
      true,
    ],
    [
      'the old object has another version',
      { ...configMap([entry('m', late)]), apiVersion: 'v1' },
      { ...configMap([entry('m', early)]), apiVersion: 'v1beta1' },
      true,
    ],
    ['the data changed', configMap([entry('m', late)], { data: { a: 'c' } }), configMap([entry('m', early)]), false],
    [
      'the labels changed',
      configMap([entry('m', late)], { metadata: { name: 'c', labels: { a: 'b' }, managedFields: [entry('m', late)] } }),
      configMap([entry('m', early)]),
      false,
    ],
    ['another manager wrote', configMap([entry('n', late)]), configMap([entry('m', early)]), false],
    [
      'a manager owns other fields',
      configMap([entry('m', late, { fieldsV1: { 'f:data': {} } })]),
      configMap([entry('m', early, { fieldsV1: {} })]),
      false,
    ],
    ['a manager came', configMap([entry('m', late), entry('n', late)]), configMap([entry('m', early)]), false],
    ['a manager went', configMap([entry('m', late)]), configMap([entry('m', early), entry('n', early)]), false],
    ['there are no managers any more', configMap(undefined), configMap([entry('m', early)]), false],
    ['there were no managers', configMap([entry('m', late)]), configMap(undefined), false],
  ];

  for (const [what, now, old, isKept] of cases)
    test(`${isKept ? 'restores' : 'leaves'} the times where ${what}`, () => {
      const made = now.metadata.managedFields;
      atOnce(keepManagerTimes(schema, now, old));
      assert.equal(now.metadata.managedFields, isKept ? old.metadata.managedFields : made);
    });
});
