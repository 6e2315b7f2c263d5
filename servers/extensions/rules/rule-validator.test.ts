import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../shared/apimachinery/json.ts';
import { inSlices } from '../../../shared/apimachinery/slices.ts';
import { SchemaNode } from '../schema/schema-node.ts';
import { ruleValidatorOf } from './rule-validator.ts';
import { schemasOfRules } from '../schema/rule.ts';

test('rules are compiled once for objects that come at the same time', async () => {
  const rules = Array.from({ length: 300 }, (_, index) => ({ rule: `self.size >= 0 && self.size < ${index + 10}` }));
  const raw: JsonObject = {
    type: 'object',
    properties: { size: { type: 'integer' } },
    'x-kubernetes-validations': rules,
  };
  const validator = ruleValidatorOf(new SchemaNode(raw), true, { leading: schemasOfRules(raw) });
  assert.ok(validator !== undefined);
  const [first, ...others] = await Promise.all(Array.from({ length: 8 }, () => inSlices(validator.rules())));
  assert.equal(first?.length, 300);
  for (const other of others) assert.equal(other, first);
});
