import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { check } from '../check/checker.ts';
import { literalIssues } from '../check/literals.ts';
import { ProgramError } from '../eval/planner.ts';
import { Program } from '../eval/program.ts';
import { parse } from '../syntax/parse.ts';
import { bind, environmentOf, placesOf, printResult, type Recorded } from './recorded-language.ts';

const records = readFileSync(new URL('gen/conformance.jsonl', import.meta.url), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line) as Recorded);

/** What depends on the order in which Go walks a map, or on Go's printing of a message that is no value. */
const byChance = (record: Recorded): boolean => record.e === "{'foo': 2, 'bar': 1, 'baz': 0}.transformMap(k, v, 4 / v)" || record.x?.includes('(*proto2.') === true;
/** Expressions whose types are not checked, and functions that a test declares without an implementation: Kubernetes has neither. */
const unsupported = (record: Recorded): boolean => record.u === true || record.fn !== undefined;

function run(record: Recorded): unknown {
  const environment = environmentOf(record);
  const parsed = parse(record.e, environment);
  if ('issues' in parsed) return { i: placesOf(record.e, parsed.issues) };
  const checked = check(parsed, environment);
  if ('issues' in checked) return { i: placesOf(record.e, checked.issues) };
  const issues = literalIssues(checked, environment);
  if (issues.length > 0) return { i: placesOf(record.e, issues) };
  const t = checked.resultType.toString();
  try {
    const { value, cost } = new Program(checked, environment).evaluate(bind(record));
    return { t, ...printResult(value), $: cost };
  } catch (error) {
    if (error instanceof ProgramError) return { t, p: error.message };
    throw error;
  }
}

function expected({ t, r, x, p, $, i }: Recorded): unknown {
  if (i !== undefined) return { i };
  if (p !== undefined) return { t, p };
  return x === undefined ? { t, r, $ } : { t, x, $ };
}

for (const file of new Set(records.map(({ f }) => f))) {
  test(`types, values, errors and costs of the conformance expressions of ${file} are cel-go's`, () => {
    for (const record of records) {
      if (record.f === file && !unsupported(record) && !byChance(record)) assert.deepEqual(run(record), expected(record), record.e);
    }
  });
}
