import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EarlierItems } from './earlier-items.ts';

test('each item is compared with those before it, and each text is told once', () => {
  const items = new EarlierItems<string>((item, earlier) => (item === earlier ? `${item} twice` : undefined));
  assert.deepEqual(
    ['a', 'b', 'a', 'a', 'b'].map((item) => items.add(item)),
    [[], [], ['a twice'], [], ['b twice']],
  );
});

test('thousands of items are not compared with each other', () => {
  let pairs = 0;
  const items = new EarlierItems<number>(() => void (pairs += 1));
  for (let item = 0; item < 30_000; item++) items.add(item);
  assert.ok(pairs <= 250_000);
});
