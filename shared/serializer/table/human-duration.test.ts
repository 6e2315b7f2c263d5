import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { humanDuration, humanDurationLasts } from './human-duration.ts';

/** The last duration that is printed in one way, and the first that is printed in the next. */
const boundaries: readonly (readonly [seconds: number, text: string])[] = [
  [-2, '<invalid>'],
  [-1, '0s'],
  [119, '119s'],
  [120, '2m'],
  [121, '2m1s'],
  [599, '9m59s'],
  [601, '10m'],
  [10_799, '179m'],
  [10_800, '3h'],
  [28_799, '7h59m'],
  [32_399, '8h'],
  [172_799, '47h'],
  [172_800, '2d'],
  [691_199, '7d23h'],
  [777_599, '8d'],
  [63_071_999, '729d'],
  [63_072_000, '2y'],
  [252_287_999, '7y364d'],
  [256_608_000, '8y'],
];

describe('humanDuration', () => {
  test('prints durations as the reference does', () => {
    const read = (name: string): Record<string, (number | string)[]> =>
      JSON.parse(readFileSync(new URL(`../../apimachinery/testdata/${name}.json`, import.meta.url), 'utf8')) as Record<
        string,
        (number | string)[]
      >;
    const seconds = read('inputs')['humanSeconds'] ?? [];
    assert.ok(seconds.length > 20);
    assert.deepEqual(
      seconds.map((value) => humanDuration(Number(value) * 1000)),
      read('expected')['humanSeconds'],
    );
  });

  // HumanDuration of k8s.io/apimachinery/pkg/util/duration v0.36.3.
  for (const [seconds, text] of boundaries)
    test(`prints ${seconds} s as ${text}`, () => assert.equal(humanDuration(seconds * 1000), text));
});

describe('humanDurationLasts', () => {
  test('returns the time until the printed text changes', () => {
    const minuteMs = 60_000;
    const dayMs = 24 * 60 * minuteMs;
    const limits = [
      0,
      2 * minuteMs,
      10 * minuteMs,
      180 * minuteMs,
      8 * 60 * minuteMs,
      2 * dayMs,
      8 * dayMs,
      730 * dayMs,
    ];
    const near = [...limits, 2920 * dayMs].flatMap((limit) => [-1000, -1, 0, 1, 999, 59_000].map((by) => limit + by));
    const spread = Array.from({ length: 2000 }, (_, i) => Math.floor(1.013 ** i) % (4000 * dayMs));
    for (const ms of [...near, ...spread]) {
      const text = humanDuration(ms);
      const lasts = humanDurationLasts(ms);
      assert.ok(lasts >= 1, String(ms));
      assert.equal(humanDuration(ms + lasts - 1), text, String(ms));
      if (ms >= 0) assert.notEqual(humanDuration(ms + lasts), text, String(ms));
    }
  });
});
