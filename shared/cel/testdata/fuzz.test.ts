import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { CompileIssues } from '#shared/cel/compile.ts';
import { compile } from '#shared/cel/testing/compile.ts';
import { ProgramError } from '#shared/cel/values/errors.ts';
import { bind, environmentOf, type Recorded } from './recorded-language.ts';

/** How long, in ms; CEL_FUZZ_MS takes it further. */
const duration = Number(process.env.CEL_FUZZ_MS ?? 2000);
const records = readFileSync(new URL('gen/conformance.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

/** A small generator of numbers, so that a failure can be repeated. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => (state = (state * 48_271) % 2_147_483_647) % below;
}

describe('compile and evaluate', () => {
  test('neither throw nor hang on expressions assembled from pieces of others', () => {
    const seed = Number(process.env.CEL_FUZZ_SEED ?? 1 + (Date.now() % 1_000_000));
    const random = numbers(seed);
    const pick = (): Recorded => records[random(records.length)] as Recorded;
    const piece = (): string => {
      const { e } = pick();
      const from = random(e.length + 1);
      return e.slice(from, from + random(40));
    };
    const shapes = [
      () => `${pick().e} == ${pick().e}`,
      () => `[${pick().e}, ${pick().e}].map(x, ${pick().e})`,
      () => `${pick().e}${piece()}`,
      () => `(${pick().e}).all(x, ${pick().e})`,
      () => `${pick().e} ? ${pick().e} : ${pick().e}`,
      () => `dyn(${pick().e})[${pick().e}]`,
      () => `{${pick().e}: ${pick().e}}`,
      () => `dyn(${pick().e}) + dyn(${pick().e})`,
      piece,
    ];
    let compiled = 0;
    const end = performance.now() + duration;
    while (performance.now() < end) {
      const record = pick();
      const text = (shapes[random(shapes.length)] ?? piece)();
      const began = performance.now();
      try {
        const program = atOnce(compile(environmentOf(record), text));
        if (program instanceof CompileIssues) assert.match(program.toString(), /^ERROR: <input>:/);
        else if (!(program instanceof ProgramError)) {
          compiled++;
          program.evaluate(bind(record), 100_000);
        }
      } catch (error) {
        throw new Error(`seed ${seed}: ${text}`, { cause: error });
      }
      assert.ok(performance.now() - began < 5000, `seed ${seed}: ${text} took long`);
    }
    assert.ok(compiled > 0);
  });
});
