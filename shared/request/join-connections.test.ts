import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { Duplex, PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import type { StatusError } from '#shared/apimachinery/errors/status.ts';
import { DirectReads } from './direct-reads.ts';
import type { Exchange } from './exchange.ts';
import { joinUpgraded } from './join-connections.ts';

describe('joinUpgraded', () => {
  test("throws 400 and destroys the upstream connection when the client's cannot be taken over", () => {
    const socket = new PassThrough();
    const exchange = { upgrade: () => undefined } as unknown as Exchange;
    const upgraded = {
      response: { rawHeaders: [] } as unknown as IncomingMessage,
      socket,
      head: Buffer.alloc(0),
      reads: new DirectReads(),
    };
    assert.throws(
      () => joinUpgraded(exchange, upgraded),
      (error: StatusError) => error.status.code === 400 && error.status.message === 'Upgrade request required',
    );
    assert.equal(socket.destroyed, true);
  });

  /** A client joined to a server by a connection, and how often that was left unread. */
  async function joined(): Promise<{ client: Duplex; peer: Socket; pauses: () => number; close: () => void }> {
    const server = createServer({ noDelay: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const reads = new DirectReads();
    const { port } = server.address() as { port: number };
    const socket = connect({ port, host: '127.0.0.1', onread: reads.onread });
    reads.connection = socket;
    const [peer] = await accepted;
    peer.write('101');
    await once(socket, 'data');
    socket.pause();
    socket.removeAllListeners('data');
    const client = new Duplex({
      read() {},
      write(chunk: Buffer, _encoding, done) {
        client.emit('answer', chunk.length);
        done();
      },
    });
    const exchange = {
      upgrade: () => ({ socket: client, head: Buffer.alloc(0), hopLines: '' }),
    } as unknown as Exchange;
    const response = { rawHeaders: [] } as unknown as IncomingMessage;
    joinUpgraded(exchange, { response, socket, head: Buffer.alloc(0), reads });
    let pauses = 0;
    socket.on('pause', () => pauses++);
    const close = (): void => void [client.destroy(), socket.destroy(), peer.destroy(), server.close()];
    return { client, peer, pauses: () => pauses, close };
  }

  const piece = Buffer.alloc(1024, 'x');

  test('pauses the upstream connection at times while a stream of small pieces comes', async () => {
    const { client, peer, pauses, close } = await joined();
    try {
      const all = 500 * piece.length;
      let taken = 0;
      const done = new Promise<void>((resolve) => {
        client.on('answer', (length: number) => {
          taken += length;
          if (taken >= all) resolve();
        });
      });
      for (let at = 0; at < 500; at++) {
        peer.write(piece);
        await new Promise(setImmediate);
      }
      await done;
      assert.ok(pauses() > 0);
    } finally {
      close();
    }
  });

  test('never pauses the upstream connection while it answers the client piece by piece', async () => {
    const { client, peer, pauses, close } = await joined();
    try {
      for (let turn = 0; turn < 100; turn++) {
        const asked = once(peer, 'data');
        client.push('?');
        await asked;
        const answered = once(client, 'answer');
        peer.write(piece);
        await answered;
      }
      assert.equal(pauses(), 0);
    } finally {
      close();
    }
  });
});
