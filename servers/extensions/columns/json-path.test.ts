import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { JsonPathError, parseJsonPath } from './json-path.ts';

const object = {
  spec: { size: 3, 'a.b': 'dotted', list: ['x', 'y', 'z'], nested: { deep: { name: 'n1' } }, name: 'n0' },
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Synced', status: 'False', n: 5 },
    ],
  },
};

const cases: readonly (readonly [string, readonly unknown[]])[] = [
  ['.spec.size', [3]],
  ['.spec.missing.deeper', []],
  ["['spec']['size']", [3]],
  ['.spec.a\\.b', ['dotted']],
  ["['spec']['a.b']", ['dotted']],
  ['.spec.list[0]', ['x']],
  ['.spec.list[-1]', ['z']],
  ['.spec.list[-1:]', ['z']],
  ['.spec.list[0:2]', ['x', 'y']],
  ['.spec.list[*]', ['x', 'y', 'z']],
  ['.spec.list[7]', []],
  ['.spec.size[0]', []],
  ['..name', ['n0', 'n1']],
  ['.status.conditions[?(@.type=="Ready")].status', ['True']],
  ["$.status.conditions[?(@.type == 'Synced')].status", ['False']],
  ['.status.conditions[?(@.n>4)].type', ['Synced']],
  ['.status.conditions[?(@.n)].type', ['Synced']],
  ['.constructor', []],
];

describe('parseJsonPath', () => {
  for (const [path, expected] of cases) {
    test(`finds ${JSON.stringify(expected)} at ${path}`, () => assert.deepEqual(parseJsonPath(path)(object), expected));
  }

  test('throws JsonPathError for an unclosed bracket', () =>
    assert.throws(() => parseJsonPath('.spec.list[0'), JsonPathError));
  test('throws JsonPathError for a path that starts with neither a dot nor a bracket', () =>
    assert.throws(() => parseJsonPath('x'), JsonPathError));
});
