import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { Exchange } from '#shared/request/exchange.ts';
import { UnreadAnswers } from './unread-answers.ts';

/** An answer with bytes that wait, and how often it was found. */
function setUp(t: TestContext): { unread: UnreadAnswers; found: () => number; end: () => void } {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const unread = new UnreadAnswers();
  const onClose: (() => void)[] = [];
  const exchange = {
    closed: false,
    queuedBytes: 1,
    onAnswer: (listener: () => void) => listener(),
    onClose: (listener: () => void) => void onClose.push(listener),
  };
  let found = 0;
  unread.follow(exchange as unknown as Exchange, () => found++);
  return { unread, found: () => found, end: () => onClose.forEach((listener) => listener()) };
}

describe('UnreadAnswers', () => {
  test('finds an answer whose bytes wait at two checks while a request waits', (t) => {
    const { unread, found } = setUp(t);
    unread.beginWait();
    t.mock.timers.tick(25);
    assert.equal(found(), 0);
    t.mock.timers.tick(25);
    assert.equal(found(), 1);
  });

  test('looks twice after a refusal', (t) => {
    const { unread, found } = setUp(t);
    unread.noteRefusal();
    t.mock.timers.tick(1_000);
    assert.equal(found(), 1);
  });

  test('does not look while nobody wants seats, nor at answers that have ended', (t) => {
    const { unread, found, end } = setUp(t);
    t.mock.timers.tick(1_000);
    unread.beginWait();
    unread.endWait();
    t.mock.timers.tick(25);
    t.mock.timers.tick(1_000);
    assert.equal(found(), 0);
    end();
    unread.beginWait();
    t.mock.timers.tick(1_000);
    assert.equal(found(), 0);
  });
});
