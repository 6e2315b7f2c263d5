import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { goDiff, unifiedDiff } from './go-diff.ts';

describe('goDiff', () => {
  // As the reference words the change of a debug container.
  test('prints Go field names with three lines of context', () => {
    const text =
      '@@ -1,6 +1,6 @@\n {\n  "Name": "e",\n- "Image": "i",\n+ "Image": "changed",\n  "Command": null,\n  "Args": null,\n  "WorkingDir": "",\n';
    assert.equal(
      goDiff('io.k8s.api.core.v1.EphemeralContainer', { name: 'e', image: 'i' }, { name: 'e', image: 'changed' }),
      text,
    );
  });

  // As the reference words the change of a pod.
  test('prints an int64 above 2^53 exactly', () => {
    assert.equal(
      goDiff(
        'io.k8s.api.core.v1.SleepAction',
        { seconds: 9_007_199_254_740_993n },
        { seconds: -9_223_372_036_854_775_808n },
      ),
      '@@ -1,3 +1,3 @@\n {\n- "Seconds": 9007199254740993\n+ "Seconds": -9223372036854775808\n }\n',
    );
  });

  test('prints distant changes as separate hunks', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `${index}\n`);
    const changed = lines.map((line, index) => (index === 2 || index === 17 ? `x${line}` : line));
    assert.equal(
      unifiedDiff(lines, changed),
      '@@ -1,6 +1,6 @@\n 0\n 1\n-2\n+x2\n 3\n 4\n 5\n@@ -15,6 +15,6 @@\n 14\n 15\n 16\n-17\n+x17\n 18\n 19\n',
    );
  });

  test('returns an empty text for equal inputs', () => {
    assert.equal(unifiedDiff(['a\n'], ['a\n']), '');
  });

  test('replaces the diff of 40,000 volumes with a note', () => {
    const volumes = (name: string): { volumes: { name: string }[] } => ({
      volumes: Array.from({ length: 40_000 }, (_, at) => ({ name: `${name}${at}` })),
    });
    const text = goDiff('io.k8s.api.core.v1.PodSpec', volumes('a'), volumes('b'));
    assert.equal(text, 'the objects are too large to tell their difference\n');
  });
});
