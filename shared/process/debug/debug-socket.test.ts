import assert from 'node:assert/strict';
import { test } from 'node:test';
import { debugSocketOf } from './debug-socket.ts';

test('debugSocketOf: the socket of a process is never taken', () => {
  assert.equal(debugSocketOf('/run/core-2.sock'), '/run/core-2.dbg');
  assert.equal(debugSocketOf('/run/socket'), '/run/socket.dbg');
  assert.equal(debugSocketOf('/a.sock/b'), '/a.sock/b.dbg');
});
