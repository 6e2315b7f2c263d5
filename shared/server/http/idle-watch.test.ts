import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { IdleWatch } from './idle-watch.ts';

const idleMs = 1_800;
/** Between two looks at the sockets. */
const lookMs = 100;

class TestSocket extends EventEmitter {
  bytesRead = 0;
  bytesWritten = 0;
  writableLength = 0;
}

function setUp(t: TestContext): {
  readonly socket: TestSocket;
  readonly told: () => number;
  readonly watch: IdleWatch;
} {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const watch = new IdleWatch(idleMs);
  const socket = new TestSocket();
  let told = 0;
  watch.add(socket as unknown as Socket, () => told++);
  return { socket, told: () => told, watch };
}

describe('IdleWatch', () => {
  test('tells of a socket once nothing has moved for the time, and again after the same time', (t) => {
    const { told } = setUp(t);
    t.mock.timers.tick(idleMs - lookMs);
    assert.equal(told(), 0);
    t.mock.timers.tick(lookMs);
    assert.equal(told(), 1);
    t.mock.timers.tick(idleMs);
    assert.equal(told(), 2);
  });

  for (const [what, move] of [
    ['arrived', (socket: TestSocket) => socket.bytesRead++],
    ['were sent', (socket: TestSocket) => socket.bytesWritten++],
  ] as const)
    test(`begins anew when bytes ${what}`, (t) => {
      const { socket, told } = setUp(t);
      t.mock.timers.tick(idleMs - lookMs);
      move(socket);
      t.mock.timers.tick(idleMs);
      assert.equal(told(), 0);
      t.mock.timers.tick(lookMs);
      assert.equal(told(), 1);
    });

  test('waits twice as long while bytes wait for the client, which count only when they are taken', (t) => {
    const { socket, told } = setUp(t);
    socket.bytesWritten = 10;
    socket.writableLength = 10;
    t.mock.timers.tick(2 * idleMs - lookMs);
    assert.equal(told(), 0);
    socket.writableLength = 4;
    t.mock.timers.tick(2 * idleMs);
    assert.equal(told(), 0);
    t.mock.timers.tick(lookMs);
    assert.equal(told(), 1);
  });

  test('forgets a socket that is closed, and watches one that comes later', (t) => {
    const { socket, told, watch } = setUp(t);
    socket.emit('close');
    t.mock.timers.tick(2 * idleMs);
    assert.equal(told(), 0);
    let later = 0;
    watch.add(new TestSocket() as unknown as Socket, () => later++);
    t.mock.timers.tick(idleMs);
    assert.equal(later, 1);
  });

  test('looks at thousands of sockets in several turns of the event loop', async (t) => {
    const { told, watch } = setUp(t);
    const idle = new Set<number>();
    for (let number = 0; number < 1_200; number++)
      watch.add(new TestSocket() as unknown as Socket, () => idle.add(number));
    for (let look = 0; look < idleMs / lookMs; look++) {
      t.mock.timers.tick(lookMs);
      if (look === idleMs / lookMs - 1) assert.equal(idle.size, 499);
      for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(told(), 1);
    assert.equal(idle.size, 1_200);
  });
});
