import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inSlices } from '#shared/apimachinery/slices/slices.ts';
import { longestTurn } from '#shared/apimachinery/slices/testing/longest-turn.ts';
import { compile, CompileIssues, compileInSteps } from './compile.ts';
import { baseEnvironments } from './environment/base-environment.ts';
import { Program } from './eval/program.ts';
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
  'a chain': repeated('s==""', '||'),
  loops: repeated('l.all(x, l.exists(y, x == y))', '&&'),
  'nested maps': `[${repeated(nested('{1:', '}'), ',')}] == []`,
  'names that are not there': repeated('q', '||'),
  'a chain that is not closed': `${repeated('s==""', '||')}||`,
};

for (const [name, text] of Object.entries(long)) {
  test(`others run while a long expression is compiled: ${name}`, async () => {
    const { value: outcome, longestMs } = await longestTurn(() => inSlices(compileInSteps(environment, text)));
    assert.ok(longestMs < 60, `${longestMs} ms in one turn`);
    const atOnce = compile(environment, text);
    assert.equal(outcome instanceof Program, atOnce instanceof Program);
    assert.equal(
      outcome instanceof CompileIssues && outcome.toString(),
      atOnce instanceof CompileIssues && atOnce.toString(),
    );
  });
}

test('macros that copy their operands make no more than there is room for', () => {
  assert.ok(compile(environment, `optional.of(1)${'.optMap(x, x)'.repeat(8)}`) instanceof Program);
  assert.match(
    String(compile(environment, `optional.of(1)${'.optMap(x, x)'.repeat(40)}`)),
    /macros expand the expression too much/,
  );
  assert.match(
    String(compile(environment, `optional.of(1)${'.optMap(x, x)'.repeat(40)}.`)),
    /macros expand the expression too much/,
  );
});

test('a text that nests too deep and does not end is explained', () => {
  assert.match(String(compile(environment, '1+'.repeat(20_000))), /max recursion depth exceeded/);
});
