import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { StartDamage } from './start-damage.ts';

describe('StartDamage', () => {
  let ends: string[];
  let damage: StartDamage;
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    ends = [];
    damage = new StartDamage((why) => ends.push(why));
  });
  afterEach(() => mock.timers.reset());

  test('ends a start that makes no progress after damage was told, with the last reason', () => {
    damage.progressed();
    mock.timers.tick(60_000);
    damage.told('a row is damaged');
    mock.timers.tick(3_000);
    damage.told('the key /a is damaged');
    mock.timers.tick(499);
    assert.deepEqual(ends, []);
    mock.timers.tick(1);
    assert.deepEqual(ends, ['the servers do not get ready: the key /a is damaged']);
  });

  test('waits longer when a process gets ready, and ends nothing when all are', () => {
    damage.told('a row is damaged');
    mock.timers.tick(3_000);
    damage.progressed();
    mock.timers.tick(3_000);
    damage.close();
    damage.told('another row is damaged');
    damage.progressed();
    mock.timers.tick(60_000);
    assert.deepEqual(ends, []);
  });
});
