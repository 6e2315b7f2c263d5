import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ReviewAnswers } from './review-answers.ts';

const allowed = { allowed: true, reason: '', auditAnnotations: new Map<string, string>() };
const denied = { ...allowed, allowed: false };

describe('ReviewAnswers', () => {
  test('forgets answers after the time for their kind', () => {
    let now = 0;
    const answers = new ReviewAnswers({ allowMs: 100, denyMs: 10 }, () => now);
    answers.add('a', allowed);
    answers.add('d', denied);
    now = 9;
    assert.equal(answers.get('a'), allowed);
    assert.equal(answers.get('d'), denied);
    now = 10;
    assert.equal(answers.get('d'), undefined);
    now = 100;
    assert.equal(answers.get('a'), undefined);
  });

  test('keeps no answers of a kind whose time is 0', () => {
    const answers = new ReviewAnswers({ allowMs: 100, denyMs: 0 }, () => 0);
    answers.add('d', denied);
    assert.equal(answers.get('d'), undefined);
  });

  test('forgets the answer that was not used for longest beyond 1,024', () => {
    const answers = new ReviewAnswers({ allowMs: 100, denyMs: 100 }, () => 0);
    for (let index = 0; index < 1024; index++) answers.add(String(index), allowed);
    answers.get('0');
    answers.add('one more', allowed);
    assert.equal(answers.get('1'), undefined);
    assert.equal(answers.get('0'), allowed);
  });
});
