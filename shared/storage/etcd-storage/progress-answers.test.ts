import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ProgressAnswers } from './progress-answers.ts';

describe('ProgressAnswers', () => {
  test('an answer at the revision of the confirmation counts after those of all earlier requests', () => {
    const answers = new ProgressAnswers();
    answers.ask();
    answers.ask();
    const start = { askedBefore: 1, askedUntil: answers.asked, revision: 9 };
    const covered = [1, 2, 3].map(() => {
      answers.ask();
      answers.receive();
      return answers.covers(start, 9);
    });
    assert.deepEqual(covered, [false, false, true]);
  });

  test('an answer above the revision of the confirmation counts at once', () => {
    const answers = new ProgressAnswers();
    answers.ask();
    const start = { askedBefore: 0, askedUntil: answers.asked, revision: 9 };
    answers.receive();
    assert.equal(answers.covers(start, 8), false);
    answers.receive();
    assert.equal(answers.covers(start, 10), true);
  });

  test('a newer revision settles the requests from before a watch that etcd dropped', () => {
    const answers = new ProgressAnswers();
    for (let dropped = 0; dropped < 100; dropped++) answers.ask();
    const first = { askedBefore: 100, askedUntil: 100, revision: 9 };
    answers.ask();
    answers.receive();
    assert.equal(answers.covers(first, 10), true);
    const second = { askedBefore: answers.asked, askedUntil: answers.asked, revision: 10 };
    answers.ask();
    answers.receive();
    assert.equal(answers.covers(second, 10), true);
  });
});
