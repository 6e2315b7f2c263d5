import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rulesKey, schemasOfRules } from '#servers/extensions/schema/rule.ts';
import { SchemaNode } from '#servers/extensions/schema/schema-node.ts';
import { fieldErrorText, path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { noRatchet } from './correlation.ts';
import { RuleRun } from './rule-budget.ts';
import { ruleValidatorOf } from './rule-validator.ts';

// Values that were stored before their schema said something else. What kube-apiserver v1.36.3 says; the series
// "comparisons with values of another type than the schema says" asks both.

const text = { type: 'string' };
const numbers = { type: 'array', items: { type: 'integer' } };
const set = { type: 'array', items: text, 'x-kubernetes-list-type': 'set' };
const properties: JsonObject = {
  object: { type: 'object', properties: { x: text } },
  lists: { type: 'object', additionalProperties: numbers },
  list: numbers,
  later: numbers,
  set,
  maps: { type: 'array', items: { type: 'object', additionalProperties: text } },
  sets: { type: 'array', items: set },
};
const before: JsonObject = {
  object: { x: 1 },
  lists: { k: 'x' },
  list: ['a', 2],
  later: [1, 'a'],
  set: [1, 'b'],
  maps: ['a', { k: 'b' }],
  sets: [['a', 'b'], 'c'],
};
const after: JsonObject = {
  object: { x: 'a' },
  lists: { k: [1] },
  list: [1, 2],
  later: [1, 2],
  set: ['a', 'b'],
  maps: [{ k: 'a' }, { k: 'b' }],
  sets: [['a', 'b'], []],
};

/** True, false, or the error. */
function answer(rule: string): string {
  const raw = { type: 'object', properties, [rulesKey]: [{ rule, message: 'false' }] };
  const validator = ruleValidatorOf(new SchemaNode(raw), false, { leading: schemasOfRules(raw) });
  assert.ok(validator);
  const run = new RuleRun(1_000_000, () => {});
  atOnce(validator.run({ value: after, old: before, ratchet: noRatchet, path: path('r') }, run));
  const [error] = run.errors;
  if (error === undefined) return 'true';
  return fieldErrorText(error).replace(/^r: Invalid value: (?:"object": )?|(?: evaluating rule)?: false$/g, '');
}

const noText = 'invalid data, expected string, got int64';
const noNumber = 'invalid data, expected int, got string';
const noList = 'invalid data, expected an array for the provided schema with type=array';
const noMap = 'invalid data, expected a map for the provided schema with type=object';

const answers: readonly (readonly [rule: string, answer: string])[] = [
  ['self.object == oldSelf.object', 'false'],
  ['oldSelf.object == self.object', noText],
  ['self.list == oldSelf.list', 'false'],
  ['oldSelf.list == self.list', noNumber],
  ['self.set == oldSelf.set', 'false'],
  ['self.lists == oldSelf.lists', noList],
  ['self.maps == oldSelf.maps', noMap],
  ['[1, 2] == oldSelf.later', 'false'],
  ["{'k': [1]} == oldSelf.lists", 'false'],
  ['1 in oldSelf.later', 'true'],
  ['3 in oldSelf.later', noNumber],
  ["'c' in oldSelf.set", noText],
  ["{'k': 'b'} in oldSelf.maps", 'true'],
  ["{'k': 'c'} in oldSelf.maps", noMap],
  ["['b', 'a'] in oldSelf.sets", 'true'],
  ["['c'] in oldSelf.sets", noList],
  ['sets.contains(oldSelf.later, [1])', 'true'],
  ['sets.contains(oldSelf.later, [3])', noNumber],
  ['sets.contains([1, 2], oldSelf.later)', 'false'],
  ["sets.contains(oldSelf.set, ['c'])", noText],
  ['sets.intersects(oldSelf.later, [3])', 'false'],
  ["sets.contains(self.sets, [['b', 'a']]) && oldSelf.sets.size() > 0", 'true'],
  ["sets.contains([['b', 'a'], []], self.sets) && oldSelf.sets.size() > 0", 'true'],
];

describe('CEL comparison with old values of another type than their schema', () => {
  test('returns the result or the error of the reference for each operator', () => {
    assert.deepEqual(
      answers.map(([rule]) => [rule, answer(rule)]),
      answers,
    );
  });
});
