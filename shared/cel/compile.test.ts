import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { turnsDuring } from '#shared/apimachinery/slices/testing/turns-during.ts';
import { CompileIssues } from './compile.ts';
import { baseEnvironments } from './environment/base-environment.ts';
import { Program } from './eval/program.ts';
import { compile } from './testing/compile.ts';
import { dynType, listType, stringType } from './values/cel-type.ts';

const environment = baseEnvironments(35).forStored.extend({
  variables: [
    { name: 's', type: stringType },
    { name: 'x', type: dynType },
    { name: 'l', type: listType(stringType) },
  ],
});

function repeated(term: string, operator: string, length = 50_000): string {
  return Array.from({ length: Math.floor(length / (term.length + operator.length)) }, () => term).join(operator);
}

const nested = (open: string, close: string): string => open.repeat(100) + '1' + close.repeat(100);

/** Half as long as expressions may be: 150 ms and more in one go. */
const long: Readonly<Record<string, string>> = {
  'a chain of operators': repeated('s==""', '||'),
  'nested loops': repeated('l.all(x, l.exists(y, x == y))', '&&'),
  'nested maps': `[${repeated(nested('{1:', '}'), ',')}] == []`,
  'undeclared names': repeated('q', '||'),
  'an unfinished chain': `${repeated('s==""', '||')}||`,
};

describe('compile', () => {
  for (const [name, text] of Object.entries(long)) {
    test(`lets others run while it compiles a long expression: ${name}`, async () => {
      const { value: outcome, turns } = await turnsDuring(compile(environment, text));
      assert.ok(turns > 20, `${turns} turns`);
      const whole = atOnce(compile(environment, text));
      assert.equal(outcome instanceof Program, whole instanceof Program);
      assert.equal(
        outcome instanceof CompileIssues && outcome.toString(),
        whole instanceof CompileIssues && whole.toString(),
      );
    });
  }
});

describe('compile', () => {
  test('rejects expressions whose macros copy their operands too often', () => {
    assert.ok(atOnce(compile(environment, `optional.of(1)${'.optMap(x, x)'.repeat(8)}`)) instanceof Program);
    assert.match(
      String(atOnce(compile(environment, `optional.of(1)${'.optMap(x, x)'.repeat(40)}`))),
      /macros expand the expression too much/,
    );
    assert.match(
      String(atOnce(compile(environment, `optional.of(1)${'.optMap(x, x)'.repeat(40)}.`))),
      /macros expand the expression too much/,
    );
  });

  test("rejects an unfinished expression that nests too deep with the recursion limit's message", () => {
    assert.match(String(atOnce(compile(environment, '1+'.repeat(20_000)))), /max recursion depth exceeded/);
  });
});
