import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { atOnce, atOnceUntilWait, inSlices, nextSlice, sliceMs, waitFor, type Steps } from './slices.ts';
import { turnsDuring } from './testing/turns-during.ts';

function* busy(ms: number, onStep: () => void): Steps<string> {
  for (const end = performance.now() + ms; performance.now() < end;) {
    onStep();
    yield;
  }
  return 'done';
}

describe('nextSlice', () => {
  const order: string[] = [];
  beforeEach(async () => {
    await nextTurn();
    order.length = 0;
  });
  const slice = async (name: string, ms: number): Promise<void> => {
    await nextSlice();
    atOnce(busy(ms, () => undefined));
    order.push(name);
  };

  test('runs one long slice in each turn of the event loop', async () => {
    const all = Promise.all(['a', 'b', 'c'].map((name) => slice(name, sliceMs)));
    setImmediate(() => {
      order.push('turn');
      setImmediate(() => order.push('turn'));
    });
    await all;
    assert.deepEqual(order, ['a', 'turn', 'b', 'turn', 'c']);
  });

  test('runs short slices in the same turn, in the order of the calls', async () => {
    const all = Promise.all(['a', 'b', 'c'].map((name) => slice(name, 0)));
    setImmediate(() => order.push('turn'));
    await all;
    assert.deepEqual(order, ['a', 'b', 'c']);
  });
});

describe('waitFor', () => {
  const later = (): Promise<string> => new Promise((resolve) => setImmediate(() => resolve('value')));
  const failing = (): Promise<string> => Promise.reject(new Error('refused'));
  function* around(promise: Promise<string>): Steps<string> {
    try {
      return `got ${yield* waitFor(promise)}`;
    } catch (error) {
      return `caught ${String(error)}`;
    }
  }

  test('returns the value of a promise to steps in slices, and throws its reason within them', async () => {
    assert.equal(await inSlices(around(later())), 'got value');
    assert.equal(await inSlices(around(failing())), 'caught Error: refused');
  });

  test('throws for steps that run at once', () => {
    assert.equal(atOnce(around(later())), 'caught Error: steps that wait for a promise cannot run at once');
  });
});

describe('atOnceUntilWait', () => {
  test('returns the result of steps that wait for nothing', () => {
    assert.equal(atOnceUntilWait(busy(1, () => undefined)), 'done');
  });

  test('returns a promise of the result of steps that wait', async () => {
    const steps = waitFor(Promise.resolve('value'));
    const result = atOnceUntilWait(steps);
    assert.ok(result instanceof Promise);
    assert.equal(await result, 'value');
  });
});

describe('inSlices', () => {
  test('lets other work run during long steps, and returns their result', async () => {
    let steps = 0;
    const long = function* (): Steps<string> {
      for (; steps < 5; steps++) {
        atOnce(busy(5, () => undefined));
        yield;
      }
      return 'done';
    };
    const { value, turns } = await turnsDuring(long());
    assert.equal(value, 'done');
    assert.equal(steps, 5);
    assert.ok(turns >= 4, `${turns} turns`);
  });

  test('awaits a promise that the steps yield before it goes on', async () => {
    const order: string[] = [];
    const waiting = function* (): Steps<void> {
      yield new Promise((resolve) => setImmediate(() => resolve(order.push('settled'))));
      order.push('went on');
    };
    await inSlices(waiting());
    assert.deepEqual(order, ['settled', 'went on']);
  });

  test('ends steps that exceed maxMs with the given error', async () => {
    let ended = false;
    const endless = function* (): Steps<void> {
      try {
        for (;;) yield;
      } finally {
        ended = true;
      }
    };
    const overdue = new Error('overdue');
    await assert.rejects(inSlices(endless(), { maxMs: 20, makeError: () => overdue }), overdue);
    assert.equal(ended, true);
  });

  test('finishes short steps within the current turn', async () => {
    let passed = false;
    setImmediate(() => (passed = true));
    await inSlices(busy(0, () => undefined));
    assert.equal(passed, false);
  });
});

describe('atOnce', () => {
  test('runs all steps synchronously and returns their result', () => {
    let steps = 0;
    assert.equal(atOnce(busy(1, () => steps++)), 'done');
    assert.ok(steps > 0);
  });
});
