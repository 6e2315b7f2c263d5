import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { judgedHere, judgedThere, type Verdict } from './verdicts.ts';

const verdicts = JSON.parse(readFileSync(new URL('gen/chains.json', import.meta.url), 'utf8')) as Verdict[];

describe('client certificate chains', () => {
  test('give the user that kube-apiserver finds, or none', async () => {
    const differences: string[] = [];
    for (const verdict of verdicts) {
      const here = await judgedHere(verdict);
      const there = judgedThere(verdict);
      if (here !== there)
        differences.push(`${verdict.name}: ${here} instead of ${there} (${verdict.refused ?? 'taken'})`);
    }
    assert.deepEqual(differences, []);
    assert.ok(verdicts.length > 150);
  });
});
