import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { atOnce, inSlices } from '#shared/apimachinery/slices/slices.ts';
import { stepPairs, subjects } from '#test/benchmark/step-pairs.ts';

/** Generators whose plain form is one of the language or of a library, or takes other arguments. */
const others = ['equals', 'parse', 'parseYaml', 'sort', 'withinErrorBudget'];

describe('functions that exist at once and in steps', () => {
  for (const [kind, subject] of Object.entries(subjects)) {
    for (const { name, plain, inSteps } of stepPairs) {
      test(`${name} of a ${kind} returns the same in both forms`, async () => {
        const expected = plain(subject);
        assert.deepEqual(atOnce(inSteps(subject)), expected);
        assert.deepEqual(await inSlices(inSteps(subject)), expected);
      });
    }
  }

  test('are all in the table of the benchmark', () => {
    const root = new URL('../../', import.meta.url);
    const names = globSync('{shared,servers,gateway}/**/*.ts', { cwd: root })
      .flatMap((file) => [
        ...readFileSync(new URL(file, root), 'utf8').matchAll(/^export function\*? (\w+)InSteps\b[^{]*: Steps</gm),
      ])
      .map(([, name = '']) => name);
    const known = [...stepPairs.map(({ name }) => name), ...others];
    assert.deepEqual([...new Set(names)].toSorted(), known.toSorted());
  });
});
