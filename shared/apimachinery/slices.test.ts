import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atOnce, inSlices, nextSlice, type Steps } from './slices.ts';

function* busy(ms: number, onStep: () => void): Steps<string> {
  for (const end = performance.now() + ms; performance.now() < end;) {
    onStep();
    yield;
  }
  return 'done';
}

test('one slice of whoever waits runs in a turn of the event loop', async () => {
  const order: string[] = [];
  const wait = async (name: string): Promise<void> => {
    await nextSlice();
    order.push(name);
  };
  const all = Promise.all([wait('a'), wait('b'), wait('c')]);
  setImmediate(() => {
    order.push('turn');
    setImmediate(() => order.push('turn'));
  });
  await all;
  assert.deepEqual(order, ['a', 'turn', 'b', 'turn', 'c']);
});

test('long steps let others run, and what they return is answered', async () => {
  let turns = 0;
  let over = false;
  const turn = (): void => {
    turns++;
    if (!over) setImmediate(turn);
  };
  setImmediate(turn);
  let steps = 0;
  const long = function* (): Steps<string> {
    for (; steps < 5; steps++) {
      atOnce(busy(5, () => undefined));
      yield;
    }
    return 'done';
  };
  assert.equal(await inSlices(long()), 'done');
  over = true;
  assert.equal(steps, 5);
  assert.ok(turns >= 4, `${turns} turns`);
});

test('short steps end without giving up their turn', async () => {
  let passed = false;
  setImmediate(() => (passed = true));
  await inSlices(busy(0, () => undefined));
  assert.equal(passed, false);
});

test('steps run at once where nobody can wait', () => {
  let steps = 0;
  assert.equal(atOnce(busy(1, () => steps++)), 'done');
  assert.ok(steps > 0);
});
