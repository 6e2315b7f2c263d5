import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { UnreadAnswers } from './unread-answers.ts';

/** An answer with bytes that wait, and how often its seats were taken. */
function setUp(t: TestContext): { unread: UnreadAnswers; taken: () => number; end: () => void } {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let taken = 0;
  const holder = { exchange: { queuedBytes: 1 }, hadUnread: false, giveBack: () => void taken++ };
  const holders = new Set([holder]);
  return { unread: new UnreadAnswers(() => holders), taken: () => taken, end: () => holders.clear() };
}

describe('UnreadAnswers', () => {
  test('takes the seats of an answer whose bytes wait at two checks while a request waits', (t) => {
    const { unread, taken } = setUp(t);
    unread.beginWait();
    t.mock.timers.tick(25);
    assert.equal(taken(), 0);
    t.mock.timers.tick(25);
    assert.equal(taken(), 1);
  });

  test('looks twice after a refusal', (t) => {
    const { unread, taken } = setUp(t);
    unread.noteRefusal();
    t.mock.timers.tick(1_000);
    assert.equal(taken(), 1);
  });

  test('does not look while nobody wants seats, nor at answers that have ended', (t) => {
    const { unread, taken, end } = setUp(t);
    t.mock.timers.tick(1_000);
    unread.beginWait();
    unread.endWait();
    t.mock.timers.tick(25);
    t.mock.timers.tick(1_000);
    assert.equal(taken(), 0);
    end();
    unread.beginWait();
    t.mock.timers.tick(1_000);
    assert.equal(taken(), 0);
  });
});
