import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EarlierItems } from './earlier-items.ts';

describe('EarlierItems', () => {
  test('compares each item with the items before it and returns each warning once', () => {
    const items = new EarlierItems<string>((item, earlier) => (item === earlier ? `${item} twice` : undefined));
    assert.deepEqual(
      ['a', 'b', 'a', 'a', 'b'].map((item) => items.add(item)),
      [[], [], ['a twice'], [], ['b twice']],
    );
  });

  test('makes at most 250,000 comparisons for 30,000 items', () => {
    let pairs = 0;
    const items = new EarlierItems<number>(() => void (pairs += 1));
    for (let item = 0; item < 30_000; item++) items.add(item);
    assert.ok(pairs <= 250_000);
  });
});
