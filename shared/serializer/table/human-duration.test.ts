import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { humanDuration, humanDurationLasts } from './human-duration.ts';

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
