import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { CompileIssues } from '#shared/cel/compile.ts';
import { baseEnvironments } from '#shared/cel/environment/base-environment.ts';
import { Program } from '#shared/cel/eval/program.ts';
import { compile } from '#shared/cel/testing/compile.ts';
import { recorded, sorted } from '#shared/cel/testing/recorded.ts';
import { formatType } from '#shared/cel/types/format-type.ts';
import { CelError } from '#shared/cel/values/value.ts';
import { jsonPatchLibrary } from './json-patch/json-patch.ts';

interface RecordedOutcome {
  readonly issues?: string;
  /** Why there is no program. */
  readonly program?: string;
  readonly type?: string;
  readonly value?: unknown;
  readonly error?: string;
  readonly cost?: string;
}

const cases = JSON.parse(
  readFileSync(new URL('../testdata/gen/cases.json', import.meta.url), 'utf8'),
) as readonly (readonly [text: string, outcome: RecordedOutcome])[];
const environment = baseEnvironments(36).forStored.extend({ libraries: [jsonPatchLibrary] });

function outcomeOf(text: string): RecordedOutcome {
  const program = atOnce(compile(environment, text));
  if (program instanceof CompileIssues) return { issues: program.toString() };
  if (!(program instanceof Program)) return { program: program.message };
  const { value, cost } = program.evaluate(new Map());
  const type = formatType(program.checked.resultType);
  return value instanceof CelError
    ? { cost: String(cost), error: value.message, type }
    : { cost: String(cost), type, value: sorted(recorded(value)) };
}

describe('CEL functions', () => {
  test("return upstream's values, errors and costs for arguments of all kinds", () => {
    assert.ok(cases.length > 2000);
    const differences = cases.flatMap(([text, outcome]) => {
      const expected = outcome.value === undefined ? outcome : { ...outcome, value: sorted(outcome.value) };
      const got = outcomeOf(text);
      return JSON.stringify(got) === JSON.stringify(expected)
        ? []
        : [`${text}: ${JSON.stringify(got)}, not ${JSON.stringify(expected)}`];
    });
    assert.deepEqual(differences, []);
  });
});
