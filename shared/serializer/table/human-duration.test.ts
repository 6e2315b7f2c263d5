import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { humanDuration } from './human-duration.ts';

test('durations print as the reference prints them', () => {
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
