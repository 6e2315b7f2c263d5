import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { readOnAfterFailedWrites } from './failed-writes.ts';

const server = createServer();
before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
after(() => server.close());

async function pair(options = {}): Promise<{ readonly near: Socket; readonly far: Socket }> {
  const near = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', ...options });
  const [[far]] = await Promise.all([once(server, 'connection') as Promise<[Socket]>, once(near, 'connect')]);
  for (const socket of [near, far]) socket.on('error', () => undefined);
  // Bytes that it does not read make its end a reset.
  far.pause();
  near.write('unread');
  return { near, far };
}

/** What is read of a far end that says its last and is gone, when the near end writes before it has read that. */
async function lastWords(leave: (far: Socket) => void, prepare: (near: Socket) => void): Promise<string> {
  const { near, far } = await pair();
  prepare(near);
  let text = '';
  near.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const closed = new Promise((resolve) => near.on('close', resolve));
  far.write('the last words');
  leave(far);
  near.write('not heard any more');
  near.cork();
  near.write('nor ');
  near.write('this');
  near.uncork();
  await closed;
  return text;
}

const leaves = {
  'a reset': (far: Socket) => void far.resetAndDestroy(),
  'an end with unread bytes': (far: Socket) => void far.destroy(),
} as const;

describe('readOnAfterFailedWrites', () => {
  // Node.js destroys a socket with what it has received when a write fails. Where this test fails, Node.js has changed, and
  // the function may go.
  for (const [how, leave] of Object.entries(leaves)) {
    test(`is needed, since Node.js alone loses what the peer had sent (${how})`, async () => {
      assert.equal(await lastWords(leave, () => undefined), '');
    });
  }

  for (const [how, leave] of Object.entries(leaves)) {
    test(`reads what the peer had sent before a write failed (${how})`, async () => {
      assert.equal(await lastWords(leave, readOnAfterFailedWrites), 'the last words');
    });
  }

  test('closes a half-open connection that was read to its end when a write fails', async () => {
    const { near, far } = await pair({ allowHalfOpen: true });
    readOnAfterFailedWrites(near);
    near.resume();
    far.end();
    await once(near, 'end');
    far.destroy();
    const closed = once(near, 'close');
    const write = (): void => {
      if (!near.destroyed) near.write('to nobody', () => setImmediate(write));
    };
    write();
    await closed.catch(() => undefined);
    assert.equal(near.destroyed, true);
  });

  test('destroys a connection at once when its owner destroys it', async () => {
    const { near, far } = await pair();
    readOnAfterFailedWrites(near);
    near.destroy();
    assert.equal(near.destroyed, true);
    far.destroy();
  });
});
