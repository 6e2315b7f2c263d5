import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Draws } from './draw.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Two UUIDs and a number for `a`, and between them one for another subject. */
function seriesOf(draws: Draws, other: string): readonly (string | number)[] {
  const first = draws.uuid('a');
  draws.uuid(other);
  return [first, draws.uuid('a'), draws.below(2 ** 40, 'a')];
}

test('draws of a seed are repeated by it, whatever else is drawn meanwhile', () => {
  const once = seriesOf(new Draws('1'), 'b');
  assert.deepEqual(seriesOf(new Draws('1'), 'c'), once);
  assert.notEqual(once[0], once[1]);
  for (const each of once.slice(0, 2)) assert.match(String(each), uuid);
});

test('draws of another seed, and without one, are others', () => {
  const first = [new Draws('1'), new Draws('2'), new Draws(), new Draws()].map((draws) => draws.uuid('a'));
  assert.equal(new Set(first).size, 4);
});

test('numbers are below their limit, and all are drawn', () => {
  for (const draws of [new Draws('3'), new Draws()]) {
    const numbers = Array.from({ length: 500 }, () => draws.below(7, 'n'));
    assert.deepEqual(new Set(numbers), new Set([0, 1, 2, 3, 4, 5, 6]));
  }
});
