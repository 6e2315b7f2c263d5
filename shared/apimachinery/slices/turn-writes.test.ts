import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { flushLater, writingTogether } from './turn-writes.ts';

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('writes of a turn', () => {
  test('are flushed at the end of the turn', async () => {
    const log: string[] = [];
    flushLater({ flush: () => log.push('a') });
    flushLater({ flush: () => log.push('b') });
    assert.deepEqual(log, []);
    await turn();
    assert.deepEqual(log, ['a', 'b']);
  });

  test('are flushed at once when what they belong to was handled, with those that waited before', async () => {
    const log: string[] = [];
    flushLater({ flush: () => log.push('before') });
    writingTogether((name: string) => {
      flushLater({ flush: () => log.push(name) });
      writingTogether(() => log.push('within'), '');
    }, 'own');
    assert.deepEqual(log, ['within', 'before', 'own']);
    await turn();
    assert.equal(log.length, 3);
  });

  test('are flushed when the handling fails', () => {
    const log: string[] = [];
    const fail = (): void => {
      flushLater({ flush: () => log.push('a') });
      throw new Error('broken');
    };
    assert.throws(() => writingTogether(fail, undefined), /broken/);
    assert.deepEqual(log, ['a']);
  });

  test('of what a flush leads to are flushed at the end of the turn', async () => {
    const log: string[] = [];
    writingTogether(() => flushLater({ flush: () => flushLater({ flush: () => log.push('late') }) }), undefined);
    assert.deepEqual(log, []);
    await turn();
    assert.deepEqual(log, ['late']);
  });
});
