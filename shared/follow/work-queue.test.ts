import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pauseAfter } from './back-off.ts';
import { WorkQueue } from './work-queue.ts';

const backOff = { firstMs: 100, longestMs: 1_000 };
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
};

describe('pauseAfter', () => {
  test('doubles the pause up to the longest', () => {
    assert.deepEqual(
      [1, 2, 3, 4, 5, 1_000].map((failures) => pauseAfter(failures, backOff)),
      [100, 200, 400, 800, 1_000, 1_000],
    );
  });
});

describe('WorkQueue', () => {
  test('repeats a key that was added during its work, with at most the given concurrency', async () => {
    const begun: string[] = [];
    const gates = new Map<string, PromiseWithResolvers<void>>();
    const queue = new WorkQueue({
      name: 'test',
      work: (key) => {
        begun.push(key);
        const gate = Promise.withResolvers<void>();
        gates.set(key, gate);
        return gate.promise;
      },
      backOff,
      concurrency: 1,
    });
    for (const key of ['a', 'a', 'b']) queue.add(key);
    await turns();
    assert.deepEqual(begun, ['a']);
    queue.add('a');
    queue.add('a');
    gates.get('a')?.resolve();
    await turns();
    assert.deepEqual(begun, ['a', 'b']);
    gates.get('b')?.resolve();
    await turns();
    assert.deepEqual(begun, ['a', 'b', 'a']);
    queue.close();
    gates.get('a')?.resolve();
    queue.add('c');
    await turns();
    assert.equal(begun.length, 3);
  });

  test('retries a failed key after growing pauses, and repeats a successful one after repeatMs', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    let failures = 2;
    let calls = 0;
    const errors: string[] = [];
    const queue = new WorkQueue({
      name: 'test',
      work: async () => {
        calls++;
        if (failures-- > 0) throw new Error(`failure ${calls}`);
      },
      backOff,
      repeatMs: 5_000,
      onError: (error) => errors.push(String(error)),
    });
    queue.add('a');
    await turns();
    for (const [ms, expected] of [
      [99, 1],
      [1, 2],
      [199, 2],
      [1, 3],
      [4_999, 3],
      [1, 4],
    ] as const) {
      context.mock.timers.tick(ms);
      await turns();
      assert.equal(calls, expected, `after ${ms} ms more`);
    }
    assert.deepEqual(errors, ['Error: failure 1', 'Error: failure 2']);
    queue.forget('a');
    context.mock.timers.tick(20_000);
    await turns();
    assert.equal(calls, 4);
  });

  test('lets work re-add its own key with a delay', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    let calls = 0;
    const queue: WorkQueue = new WorkQueue({
      name: 'test',
      work: async (key) => {
        if (++calls < 3) queue.addAfter(key, 10);
      },
      backOff,
    });
    queue.add('a');
    for (let round = 0; round < 5; round++) {
      await turns();
      context.mock.timers.tick(10);
    }
    assert.equal(calls, 3);
  });
});
