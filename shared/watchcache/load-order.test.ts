import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LoadOrder } from './load-order.ts';

test('a load that is filled in advance holds back while another one is waited for', async () => {
  const [filled, wanted] = [new LoadOrder(), new LoadOrder()];
  const turns: string[] = [];
  await filled.nextTurn();
  wanted.hurry();
  const held = filled.nextTurn().then(() => turns.push('filled'));
  for (let at = 0; at < 5; at++) {
    await wanted.nextTurn();
    turns.push('wanted');
  }
  wanted.end();
  await held;
  assert.deepEqual(turns, ['wanted', 'wanted', 'wanted', 'wanted', 'wanted', 'filled']);
});

test('a load that holds back goes on at once when somebody waits for it', async () => {
  const [late, wanted] = [new LoadOrder(), new LoadOrder()];
  wanted.hurry();
  const begun = performance.now();
  const turn = late.nextTurn();
  late.hurry();
  await turn;
  assert.ok(performance.now() - begun < 500);
  wanted.end();
  late.end();
  await new LoadOrder().nextTurn();
  assert.ok(performance.now() - begun < 500, 'ended loads hold nobody back');
});

test('a load that is waited for and never ends holds others back for a second at most', async () => {
  const stuck = new LoadOrder();
  stuck.hurry();
  const begun = performance.now();
  await new LoadOrder().nextTurn();
  const held = performance.now() - begun;
  stuck.end();
  assert.ok(held > 900 && held < 3000, String(held));
});
