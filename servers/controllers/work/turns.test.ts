import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { againIfUndone, Turns, UndoneError } from './turns.ts';

describe('turns of controllers', () => {
  test('are paused when the writes that began have ended', async () => {
    const turns = new Turns();
    const turn = await turns.begin();
    const { promise, resolve } = Promise.withResolvers<string>();
    const write = turn.write(() => promise);
    let isPaused = false;
    const pausing = turns.pause().then(() => (isPaused = true));
    await Promise.resolve();
    assert.equal(isPaused, false);
    resolve('written');
    assert.equal(await write, 'written');
    await pausing;
    assert.ok(isPaused);
  });

  test('that began before a pause, write nothing after it', async () => {
    const turns = new Turns();
    const turn = await turns.begin();
    await turns.pause();
    const during = turn.write(async () => assert.fail('it was written'));
    await assert.rejects(during, UndoneError);
    turns.resume();
    await assert.rejects(
      turn.write(async () => assert.fail('it was written')),
      UndoneError,
    );
  });

  test('have undone work of a queue done again, and pass on other failures', async () => {
    const added: string[] = [];
    const queue = { add: (key: string) => void added.push(key) };
    await againIfUndone(queue, 'done', async () => undefined);
    await againIfUndone(queue, 'undone', () => Promise.reject(new UndoneError()));
    await assert.rejects(
      againIfUndone(queue, 'failed', () => Promise.reject(new Error('it failed'))),
      /it failed/,
    );
    assert.deepEqual(added, ['undone']);
  });

  test('begin after a pause, when all was told of it', async () => {
    const turns = new Turns();
    const told: string[] = [];
    turns.onResumed(() => told.push('resumed'));
    await turns.pause();
    const begun = turns.begin().then(async (turn) => turn.write(async () => told.push('written')));
    await Promise.resolve();
    assert.deepEqual(told, []);
    turns.resume();
    await begun;
    assert.deepEqual(told, ['resumed', 'written']);
  });
});
