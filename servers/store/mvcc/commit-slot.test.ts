import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CommitSlot } from './commit-slot.ts';

const sizes = { fileBytes: 2 ** 40, freeBytes: 4096 };

describe('CommitSlot', () => {
  test('resolves to the answer of the other thread, with every size and mark', async () => {
    const slot = new CommitSlot();
    const other = new CommitSlot(slot.memory);
    for (const result of [
      { ...sizes, sealed: true, reserved: false },
      { ...sizes, sealed: false, reserved: true, isTipStale: true },
    ]) {
      const answer = slot.ask();
      assert.equal(other.isAsked, true);
      other.answer(result);
      assert.equal(other.isAsked, false);
      assert.deepEqual(await answer, result);
    }
  });

  test('resolves to nothing where the answer is a message', async () => {
    const slot = new CommitSlot();
    const answer = slot.ask();
    new CommitSlot(slot.memory).answer();
    assert.equal(await answer, undefined);
  });

  test('does not let the other thread sleep when it was woken since its last wait', () => {
    const slot = new CommitSlot();
    slot.wake();
    const seen = slot.wait(0);
    slot.wake();
    assert.equal(slot.wait(seen), seen + 1);
    assert.equal(slot.isAsked, false);
  });
});
