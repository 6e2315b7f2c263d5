import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { limitErrorRate } from './limit-error-rate.ts';

describe('limitErrorRate', () => {
  test('tells so many errors within the time, then how many were left out, and begins again', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const told: string[] = [];
    const tell = limitErrorRate((message, error) => told.push(`${message}: ${String(error)}`), {
      most: 2,
      everyMs: 10_000,
    });
    for (let i = 0; i < 5; i++) tell('no handshake', i);
    assert.deepEqual(told.splice(0), ['no handshake: 0', 'no handshake: 1']);
    mock.timers.tick(10_000);
    assert.deepEqual(told.splice(0), ['Errors were left out of the log: 3 more than 2 in 10 s']);
    tell('no handshake', 5);
    mock.timers.tick(10_000);
    assert.deepEqual(told, ['no handshake: 5']);
    mock.timers.reset();
  });
});
