import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { takeNodeFlags } from '#servers/launcher/node-flags.ts';
import { fuzz, fuzzTargets, judge, savedCases } from './run-fuzz.ts';

// What nests deep is read or refused with the stack that the servers have.
takeNodeFlags();

const seed = 20261121;
const runs = 150;
/** Of an input in a message. */
const shown = 300;

describe('fuzzing', () => {
  for (const target of fuzzTargets) {
    test(`${target.name} parses or refuses every input`, () => {
      for (const sample of [...target.samples.map((sample) => Buffer.from(sample)), ...savedCases(target)]) {
        const why = judge(target, sample);
        assert.ok(why === undefined, `${why}: ${text(sample)}`);
      }
      const { finding } = fuzz(target, seed, { runs });
      assert.ok(finding === undefined, `${finding?.why}: ${text(finding?.input ?? Buffer.alloc(0))}`);
    });
  }
});

function text(input: Buffer): string {
  return JSON.stringify(input.subarray(0, shown).toString('latin1'));
}
