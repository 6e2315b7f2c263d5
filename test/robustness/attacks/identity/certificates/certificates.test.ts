import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { judgedHere, judgedThere, type Verdict } from './verdicts.ts';

const verdicts = JSON.parse(readFileSync(new URL('gen/chains.json', import.meta.url), 'utf8')) as Verdict[];

test('a chain of certificates makes a client who it is for kube-apiserver, or nobody', async () => {
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
