import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inSlices } from '#shared/apimachinery/slices/slices.ts';
import { longestTurn, threadMs } from '#shared/apimachinery/slices/testing/longest-turn.ts';
import { Environment } from '#shared/cel/check/environment.ts';
import { compile } from '#shared/cel/compile.ts';
import { kubernetesListsLibrary } from '#shared/cel/libraries/lists/kubernetes-lists.ts';
import { listsLibrary } from '#shared/cel/libraries/lists/lists.ts';
import { regexLibrary } from '#shared/cel/libraries/regex/regex.ts';
import { setsLibrary } from '#shared/cel/libraries/sets/sets.ts';
import { stringsLibrary } from '#shared/cel/libraries/strings/strings.ts';
import { optionalLibrary } from '#shared/cel/stdlib/optionals.ts';
import { standardLibrary } from '#shared/cel/stdlib/standard-library.ts';
import { twoVariableComprehensions } from '#shared/cel/stdlib/two-variable-comprehensions.ts';
import { dynType, listType, stringType } from '#shared/cel/values/cel-type.ts';
import { ArrayList } from '#shared/cel/values/list.ts';
import { EntryMap } from '#shared/cel/values/map.ts';
import type { CelError, Value } from '#shared/cel/values/value.ts';
import { Program } from './program.ts';

const environment = new Environment({
  libraries: [
    standardLibrary,
    optionalLibrary,
    twoVariableComprehensions,
    stringsLibrary(2),
    listsLibrary,
    setsLibrary,
    regexLibrary,
    kubernetesListsLibrary,
  ],
  variables: [
    { name: 'text', type: stringType },
    { name: 'texts', type: listType(stringType) },
    { name: 'x', type: dynType },
    { name: 'nested', type: dynType },
    { name: 'items', type: listType(dynType) },
    { name: 'wide', type: listType(stringType) },
  ],
});

const long = 'word '.repeat(200_000);
/** Whose size is 1, whatever it holds. */
const nested = new ArrayList([
  new ArrayList(Array.from({ length: 64_000 }, (_, index) => EntryMap.of([['a', index]]))),
]);
const bindings = new Map<string, Value>([
  ['nested', nested],
  ['items', new ArrayList(Array.from({ length: 100 }, () => nested))],
  ['text', long],
  ['wide', new ArrayList(Array.from({ length: 10 }, (_, index) => `${'€'.repeat(400_000)}😀${index}`))],
  ['texts', new ArrayList(Array.from({ length: 3000 }, (_, index) => `${index}`))],
  ['x', EntryMap.of([['a', 1]])],
]);

/** Expressions that take long within the costs that a rule may have. */
const hostile = [
  "text.matches('(\\\\w+\\\\s?)+end')",
  'texts.all(a, texts.all(b, texts.exists(c, a != b || b != c || c == a)))',
  'texts.map(a, texts.map(b, a + b)).size() > 0',
  'texts.transformMap(i, a, texts.filter(b, b > a)).size() > 0',
  'texts.all(a, size(text) > 0)',
  'texts.all(a, text + a != a)',
  "texts.all(a, text.contains('end') || true)",
  'texts.all(a, nested == nested)',
  'texts.all(a, !(nested != nested))',
  'texts.all(a, [nested] in [nested] || true)',
  'texts.all(a, !([1] in [items]))',
  'items.all(a, items == items)',
  "text.replace('', 'b').split('').size() > 1",
  "text.findAll('').join(' ') == text",
  'lists.range(1000000).min() == lists.range(1000000).sum()',
  "sets.intersects(texts, ['a']) || '%s'.format([nested]) == text",
  // Each call costs 1, however long the texts are.
  everyTerm('size(wide[0]) + size(wide[1]) + size(wide[2]) > 0', 200),
  everyTerm("wide[0] < wide[1] || wide[2] == '' || true", 200),
];

function everyTerm(term: string, count: number): string {
  return Array.from({ length: count }, () => term).join(' && ');
}

describe('evaluateInSteps', () => {
  for (const expression of hostile) {
    test(`lets others run while it evaluates ${expression.slice(0, 80)}`, async () => {
      const program = compile(environment, expression);
      assert.ok(program instanceof Program, String(program));
      const {
        value: { value, cost },
        longestMs,
      } = await longestTurn(() => inSlices(program.evaluateInSteps(bindings, 300_000)));
      assert.ok(cost > 0);
      assert.notEqual(value, undefined);
      assert.ok(longestMs < 150, `${longestMs} ms in one turn`);
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
      const program = compile(environment, expression);
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
    const program = compile(
      environment,
      "text.matches(texts.map(a, 'w?').join('') + 'o') && texts[3].find(texts.map(a, a).join('|')) == '3'",
    );
    assert.ok(program instanceof Program, String(program));
    assert.equal((await inSlices(program.evaluateInSteps(bindings))).value, true);
  });

  test('stops at the cost limit before it runs an expensive pattern', async () => {
    const program = compile(environment, "text.find(texts.map(a, 'w?').join('') + 'z')");
    assert.ok(program instanceof Program, String(program));
    const before = threadMs();
    const { value } = await inSlices(program.evaluateInSteps(bindings, 1_000_000));
    assert.match((value as CelError).message, /actual cost limit exceeded/);
    assert.ok(threadMs() - before < 500, `${threadMs() - before} ms`);
  });
});
