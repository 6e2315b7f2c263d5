import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { baseEnvironments } from '#shared/cel/environment/base-environment.ts';
import { Program } from '#shared/cel/eval/program.ts';
import { compile } from '#shared/cel/testing/compile.ts';
import { stringType } from '#shared/cel/values/cel-type.ts';
import { CelError } from '#shared/cel/values/value.ts';

const environment = baseEnvironments(36).forStored.extend({ variables: [{ name: 's', type: stringType }] });
const bindings = new Map([['s', 'ab'.repeat(1_400_000)]]);

function outcome(text: string): unknown {
  const program = atOnce(compile(environment, text));
  assert.ok(program instanceof Program, String(program));
  const { value } = program.evaluate(bindings);
  return value instanceof CelError ? value.message : value;
}

describe('CEL string functions', () => {
  test('end the evaluation when they would build a text far longer than their operands', () => {
    for (const text of [
      "s.replace('', s)",
      "s.replace('a', s)",
      "s.replace('a', s, 100)",
      "s.split('').join(s)",
      "lists.range(100).map(i, s).join('')",
    ]) {
      assert.equal(outcome(text), 'operation cancelled: actual cost limit exceeded', text);
    }
    assert.equal(outcome("s.replace('a', 'xyz').size()"), 5_600_000);
    assert.equal(outcome("s.replace('', 'x', 3).substring(0, 8)"), 'xaxbxaba');
    assert.equal(outcome("s.split('b').join('--').size()"), 4_200_000);
  });
});
