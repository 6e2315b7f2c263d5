import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LatestAnswer } from './latest-answer.ts';

describe('LatestAnswer', () => {
  test('returns the new answer, or the last one when asking fails or takes too long', async () => {
    let ask: (known: string | undefined) => Promise<string> = async () => {
      throw new Error('away');
    };
    const answer = new LatestAnswer<string>((known) => ask(known), 20);
    assert.deepEqual(await answer.get(), { value: undefined, state: 'failed' });
    ask = async () => 'one';
    assert.deepEqual(await answer.get(), { value: 'one', state: 'current' });
    ask = async () => {
      throw new Error('away');
    };
    assert.deepEqual(await answer.get(), { value: 'one', state: 'failed' });
    const delayed = Promise.withResolvers<string>();
    ask = () => delayed.promise;
    assert.deepEqual(await answer.get(), { value: 'one', state: 'late' });
    delayed.resolve('two');
    await new Promise(setImmediate);
    ask = async (known) => `${known} and three`;
    assert.deepEqual(await answer.get(), { value: 'two and three', state: 'current' });
  });

  test('keeps a newer answer when an older one comes late', async () => {
    const delayed = Promise.withResolvers<string>();
    const answers = [delayed.promise, Promise.resolve('new')];
    const answer = new LatestAnswer<string>(() => answers.shift() ?? Promise.reject(new Error('away')), 20);
    const first = answer.get();
    assert.deepEqual(await answer.get(), { value: 'new', state: 'current' });
    delayed.resolve('old');
    assert.deepEqual(await first, { value: 'new', state: 'current' });
  });
});
