import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { atOnce, inSlices } from '#shared/apimachinery/slices/slices.ts';
import { compile } from '#shared/cel/testing/compile.ts';
import type { CelError } from '#shared/cel/values/value.ts';
import { Program } from './program.ts';
import { bindings, environment, hostile } from './testing/hostile-expressions.ts';

describe('evaluateInSteps', () => {
  for (const expression of hostile) {
    test(`returns a value and its cost for ${expression.slice(0, 80)}`, async () => {
      const program = atOnce(compile(environment, expression));
      assert.ok(program instanceof Program, String(program));
      const { value, cost } = await inSlices(program.evaluateInSteps(bindings, 300_000));
      assert.ok(cost > 0);
      assert.notEqual(value, undefined);
    });
  }

  test('returns the values and costs of evaluate', async () => {
    const expressions = [
      'texts.filter(a, a.size() == 2).map(a, a + "x").exists_one(a, a == "10x")',
      'texts.all(a, a != "")',
      'texts.transformList(i, a, i % 2 == 0, a)[3]',
      "texts.map(a, {'k': [a]})[7].k[0]",
      "optional.of(texts).optMap(t, t.map(a, a + 'y'))",
      'texts.exists(a, 1 / 0 > 1) || true',
      'texts.exists(a, 1 / 0 > 1) ? 1 : 2',
      'texts[texts.map(a, 1).size() - 1]',
      'has(x.b) || texts.all(a, has(x.c))',
      'texts.map(a, a == "1" ? int(a + "z") : 1)',
      '{"a": texts.map(a, a)}.a == texts',
      'matches(text, "end$")',
      'texts.exists(a, a == "7")',
      'texts.exists(a, a == "none")',
      'texts.all(a, a == "0" || 1 / 0 > 1)',
      'texts.filter(a, a.size() < 3).all(a, texts.exists(b, b == a))',
      '{"a": 1, "b": 2}.all(k, k != "b")',
      '{"a": 1, "b": 2}.exists(k, v, v == 2)',
      'x.all(k, x[k] == 1 && has(x.a)) && !has(x.c)',
      'size(wide[0]) + size(wide[1]) > 0 && wide[0] != wide[1]',
    ];
    for (const expression of expressions) {
      const program = atOnce(compile(environment, expression));
      assert.ok(program instanceof Program, `${expression}: ${program.toString()}`);
      assert.deepEqual(await inSlices(program.evaluateInSteps(bindings)), program.evaluate(bindings), expression);
      assert.deepEqual(
        await inSlices(program.evaluateInSteps(bindings, 40)),
        program.evaluate(bindings, 40),
        expression,
      );
    }
  });

  test('awaits the compilation of a long pattern built at run time', async () => {
    const program = atOnce(
      compile(
        environment,
        "text.matches(texts.map(a, 'w?').join('') + 'o') && texts[3].find(texts.map(a, a).join('|')) == '3'",
      ),
    );
    assert.ok(program instanceof Program, String(program));
    assert.equal((await inSlices(program.evaluateInSteps(bindings))).value, true);
  });

  test('stops at the cost limit before it runs an expensive pattern', async () => {
    const program = atOnce(compile(environment, "text.find(texts.map(a, 'w?').join('') + 'z')"));
    assert.ok(program instanceof Program, String(program));
    const { value } = await inSlices(program.evaluateInSteps(bindings, 1_000_000));
    assert.match((value as CelError).message, /actual cost limit exceeded/);
  });
});
