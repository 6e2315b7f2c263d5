import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startOurs, type Side } from '#test/compare/pair.ts';
import { ruleCases } from '#test/conformance/legacy-rules/cases.ts';
import { uncovered } from '#test/conformance/legacy-rules/coverage.ts';
import { readRecorded } from '#test/conformance/legacy-rules/recorded.ts';
import { playCase, prepareServer } from '#test/conformance/legacy-rules/rule-case.ts';

const recorded = readRecorded();
let ours: Side;

before(async () => {
  ours = await startOurs();
  await prepareServer(ours.server);
});

after(() => ours.close());

describe('rules of annotations, legacy fields and options', { concurrency: 4 }, () => {
  test('have recorded answers of the reference for every case', () => {
    assert.deepEqual(
      [...recorded.keys()],
      ruleCases.map(({ name }) => name),
      'record the cases again',
    );
  });

  test('have a case for whatever upstream reads', () => {
    assert.deepEqual(uncovered(), []);
  });

  for (const one of ruleCases)
    test(`answer as the reference: ${one.name}`, async () =>
      assert.deepEqual(await playCase(ours.server, one), recorded.get(one.name)));
});
