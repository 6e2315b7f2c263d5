import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { turnsDuring } from '#shared/apimachinery/slices/testing/turns-during.ts';
import { baseEnvironments } from '#shared/cel/environment/base-environment.ts';
import { Program } from '#shared/cel/eval/program.ts';
import { compile } from '#shared/cel/testing/compile.ts';
import { stringType } from '#shared/cel/values/cel-type.ts';

const environment = baseEnvironments(36).forStored.extend({ variables: [{ name: 's', type: stringType }] });

describe('CEL URL library', () => {
  for (const [text, value] of [
    ["url('http://a/' + s).getEscapedPath().size()", 2_400_007],
    ["url('http://a/' + s) == url('http://a/' + s)", true],
    ["url('http://a/#' + s) != url('http://a/#b' + s)", true],
  ] as const) {
    test(`lets others run while it escapes a long URL: ${text}`, async () => {
      const program = atOnce(compile(environment, text));
      assert.ok(program instanceof Program);
      const { value: outcome, turns } = await turnsDuring(
        program.evaluateInSteps(new Map([['s', `é${' '.repeat(800_000)}`]]), 10_000_000),
      );
      assert.equal(outcome.value, value);
      assert.ok(turns > 2, `${turns} turns`);
    });
  }
});
