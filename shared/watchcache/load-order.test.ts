import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LoadOrder } from './load-order.ts';

describe('LoadOrder', () => {
  test('holds back a load in advance while another is waited for', async () => {
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

  test('lets a held-back load go on when it is waited for', async () => {
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

  test('holds back others for a second at most when a load never ends', async () => {
    const stuck = new LoadOrder();
    stuck.hurry();
    const begun = performance.now();
    await new LoadOrder().nextTurn();
    const held = performance.now() - begun;
    stuck.end();
    assert.ok(held > 900 && held < 3000, String(held));
  });
});
