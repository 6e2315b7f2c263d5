import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { check } from '#shared/cel/check/checker.ts';
import type { Environment } from '#shared/cel/check/environment.ts';
import { literalIssues } from '#shared/cel/check/literals.ts';
import type { Checked } from '#shared/cel/contract/checked.ts';
import { Program } from '#shared/cel/eval/program.ts';
import { parse } from '#shared/cel/parse/parse.ts';
import {
  bind,
  environmentOf,
  issueLocations,
  printResult,
  type Recorded,
} from '#shared/cel/testdata/recorded-language.ts';
import { unchecked } from '#shared/cel/testdata/unchecked.ts';
import { ProgramError } from '#shared/cel/values/errors.ts';
import type { Value } from '#shared/cel/values/value.ts';

const records = readFileSync(new URL('../testdata/gen/conformance.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

function run(record: Recorded): unknown {
  const environment = environmentOf(record);
  const parsed = atOnce(parse(record.e, environment));
  if ('issues' in parsed) return { i: issueLocations(record.e, parsed.issues) };
  if (record.u === true)
    return outcome(record, environment, 'dyn', (bindings) => unchecked(parsed, environment, bindings));
  const checked = atOnce(check(parsed, environment));
  if ('issues' in checked) return { i: issueLocations(record.e, checked.issues) };
  const issues = atOnce(literalIssues(checked, environment));
  if (issues.length > 0) return { i: issueLocations(record.e, issues) };
  return outcome(record, environment, checked.resultType.toString(), () => checked);
}

function outcome(
  record: Recorded,
  environment: Environment,
  t: string,
  expression: (bindings: Map<string, Value>) => Checked,
): unknown {
  const bindings = bind(record);
  try {
    const { value, cost } = atOnce(Program.plan(expression(bindings), environment)).evaluate(bindings);
    return { t, ...printResult(value), $: cost };
  } catch (error) {
    if (error instanceof ProgramError) return { t, p: error.message };
    throw error;
  }
}

/** What cel-go answers; several where that depends on the order in which Go walks a map. */
function expected({ t, r, x, p, $, i, o = [] }: Recorded): unknown[] {
  if (i !== undefined) return [{ i }];
  if (p !== undefined) return [{ t, p }];
  return [{ r, x, $ }, ...o].map((each) =>
    each.x === undefined ? { t, r: each.r, $: each.$ } : { t, x: each.x, $: each.$ },
  );
}

/** The files of cel-spec's conformance expressions, by the folder of shared/cel that plays them. */
const playedBy = {
  check: ['dynamic', 'enums', 'fields', 'proto2', 'proto2_ext', 'proto3', 'type_deductions', 'wrappers'],
  eval: ['macros', 'macros2', 'namespace', 'optionals', 'plumbing'],
  libraries: ['bindings_ext', 'block_ext', 'encoders_ext', 'math_ext', 'string_ext'],
  stdlib: ['basic', 'comparisons', 'lists', 'logic', 'string'],
  syntax: ['parse'],
  values: ['conversions', 'fp_math', 'integer_math', 'timestamps'],
} as const;

/** A test for each file of expressions that the folder plays. */
export function testConformance(folder: keyof typeof playedBy): void {
  describe('CEL conformance', () => {
    for (const file of playedBy[folder])
      test(`returns cel-go's types, values, errors and costs for ${file}`, () => {
        const expressions = records.filter(({ f }) => f === file);
        assert.ok(expressions.length > 0);
        for (const record of expressions) {
          const got = run(record);
          const answers = expected(record);
          assert.deepEqual(got, answers.find((answer) => isDeepStrictEqual(got, answer)) ?? answers[0], record.e);
        }
      });
  });
}

/** How many expressions the folders play together, and how many are recorded. */
export function countConformance(): { readonly played: number; readonly recorded: number } {
  const files = Object.values(playedBy).flat() as readonly string[];
  return { played: records.filter(({ f }) => files.includes(f)).length, recorded: records.length };
}
