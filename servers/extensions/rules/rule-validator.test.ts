import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { schemasOfRules } from '#servers/extensions/schema/rule.ts';
import { SchemaNode } from '#servers/extensions/schema/schema-node.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { inSlices, paced } from '#shared/apimachinery/slices/slices.ts';
import { noRatchet } from './correlation.ts';
import { maxObjectCost, RuleRun } from './rule-budget.ts';
import { ruleValidatorOf } from './rule-validator.ts';

describe('rule validator', () => {
  test('compiles its rules once for concurrent objects', async () => {
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

  test('pauses after each rule that may run for milliseconds', async () => {
    const pauses = async (rule: string): Promise<number> => {
      const raw: JsonObject = {
        type: 'object',
        properties: { name: { type: 'string' } },
        'x-kubernetes-validations': Array.from({ length: 12 }, () => ({ rule })),
      };
      const validator = ruleValidatorOf(new SchemaNode(raw), true, { leading: schemasOfRules(raw) });
      assert.ok(validator !== undefined);
      await inSlices(validator.rules());
      const run = new RuleRun(maxObjectCost, () => assert.fail('nothing is a warning'));
      const subject = { value: { name: 'a' }, old: undefined, ratchet: noRatchet, path: undefined };
      // Every slice is over at once.
      const count = [...paced(validator.run(subject, run), 0, 'pause')].length;
      assert.deepEqual(run.errors, []);
      return count;
    };
    assert.equal(await pauses("self.name == 'a'"), 3);
    assert.equal(await pauses(`self.name.matches('${'a?'.repeat(1000)}')`), 12);
  });
});
