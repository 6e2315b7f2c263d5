import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { hasReason } from '#shared/apimachinery/errors/status.ts';
import { WriteTurns, type Caller, type RetryingWriter } from './write-turns.ts';

const isTimeout = (error: unknown): boolean => hasReason(error, 'Timeout');
const writerOf = (key: string, caller?: Caller): RetryingWriter => ({ key, caller });

/** A caller that goes when it is told to. */
class Leaving implements Caller {
  closed = false;
  readonly #listeners: (() => void)[] = [];

  onClose(listener: () => void): void {
    this.#listeners.push(listener);
  }

  go(): void {
    this.closed = true;
    for (const listener of this.#listeners) listener();
  }
}

test('writers of a key that met a conflict, many at once, go on one at a time and in order', async () => {
  const turns = new WriteTurns();
  const order: number[] = [];
  let active = 0;
  await Promise.all(
    [0, 1, 2, 3].map(async (number) => {
      const writer = writerOf('/a');
      const waited = await turns.begin(writer);
      assert.equal(waited, number > 0);
      assert.equal(++active, 1);
      order.push(number);
      await new Promise(setImmediate);
      // A second conflict takes no place from the writer whose turn it is.
      assert.equal(await turns.begin(writer), false);
      active--;
      turns.end(writer);
    }),
  );
  assert.deepEqual([order, turns.size], [[0, 1, 2, 3], 0]);
});

test('writers of other keys do not wait', async () => {
  const turns = new WriteTurns();
  const writers = ['/a', '/b', '/a/b'].map((key) => writerOf(key));
  for (const writer of writers) assert.equal(await turns.begin(writer), false);
  assert.equal(turns.size, 3);
  for (const writer of writers) turns.end(writer);
  assert.equal(turns.size, 0);
});

test('a writer whose caller goes leaves the line at once, and one whose caller has gone does not join it', async () => {
  const turns = new WriteTurns();
  const [first, last] = [writerOf('/a'), writerOf('/a')];
  await turns.begin(first);
  const caller = new Leaving();
  const left = turns.begin(writerOf('/a', caller));
  const next = turns.begin(last);
  caller.go();
  await assert.rejects(left, isTimeout);
  await assert.rejects(turns.begin(writerOf('/b', caller)), isTimeout);
  turns.end(first);
  assert.equal(await next, true);
  turns.end(last);
  assert.equal(turns.size, 0);
});

test('a writer that takes longer than its turn lets the next one go on, and then waits as others do', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const turns = new WriteTurns();
    const [slow, next] = [writerOf('/a'), writerOf('/a')];
    await turns.begin(slow);
    const waiting = turns.begin(next);
    mock.timers.tick(100);
    assert.equal(await waiting, true);
    // Its turn is over, so that its end is none of the other's.
    turns.end(slow);
    const again = turns.begin(slow);
    turns.end(next);
    assert.equal(await again, true);
    turns.end(slow);
    assert.equal(turns.size, 0);
  } finally {
    mock.timers.reset();
  }
});

test('a line of a thousand writers takes no more, which go on without a turn', async () => {
  const turns = new WriteTurns();
  const writers = Array.from({ length: 1_001 }, () => writerOf('/a'));
  const begun = writers.map((writer) => turns.begin(writer));
  const surplus = writerOf('/a');
  assert.equal(await turns.begin(surplus), false);
  turns.end(surplus);
  for (const [index, writer] of writers.entries()) {
    await begun[index];
    turns.end(writer);
  }
  assert.equal(turns.size, 0);
});
