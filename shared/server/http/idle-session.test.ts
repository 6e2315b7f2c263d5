import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { ServerConnection } from '#shared/http2/server-connection.ts';
import type { Http2Stream } from '#shared/http2/server-stream.ts';
import { checkIdleSession } from './idle-session.ts';

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
/** HEADERS of stream 1, of which 10 of 100 bytes come. */
const partOfHeaders = Buffer.concat([
  Buffer.from([0, 0, 100, 1, 5, 0, 0, 0, 1]),
  Buffer.from([0x00, 0x07]),
  Buffer.from(':method'),
]);

describe('checkIdleSession', () => {
  for (const [what, bytes] of [
    ['without a stream', Buffer.alloc(0)],
    ['with a stream whose header block is incomplete', partOfHeaders],
  ] as const) {
    test(`closes an idle connection ${what}`, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
      const ended = once(client.resume(), 'close');
      const all = Buffer.concat([preface, settings, bytes]);
      client.write(all);
      const [socket] = (await once(server, 'connection')) as [Socket];
      const connection = new ServerConnection(socket, {
        maxConcurrentStreams: 1,
        frameBytes: 16_384,
        windowBytes: 65_535,
        headerBytes: 4096,
        onStream: () => assert.fail(),
        onClose: () => undefined,
        onError: () => assert.fail(),
      });
      while (socket.bytesRead < all.length) await new Promise(setImmediate);
      const closed = once(socket, 'close');
      checkIdleSession(connection, 0);
      await Promise.all([ended, closed]);
      assert.ok(connection.destroyed);
      server.close();
    });
  }

  /** HEADERS of stream 1 with an indexed `GET https /` and an authority. */
  const request = Buffer.from([0, 0, 6, 1, 5, 0, 0, 0, 1, 0x82, 0x87, 0x84, 0x41, 0x01, 0x61]);
  const largeWindows = Buffer.from([
    0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0x7f, 0xff, 0xff, 0xff, 0, 0, 4, 8, 0, 0, 0, 0, 0, 0x7f, 0xff, 0, 0,
  ]);

  for (const [what, reads, isKept] of [
    ['whose client reads and waits for events', true, true],
    ['whose answer the client does not read', false, false],
  ] as const) {
    test(`${isKept ? 'keeps' : 'closes'} an idle connection with a request ${what}`, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
      client.on('error', () => undefined);
      if (reads) client.resume();
      client.write(Buffer.concat([preface, largeWindows, request]));
      const [socket] = (await once(server, 'connection')) as [Socket];
      let connection: ServerConnection | undefined;
      const stream = await new Promise<Http2Stream>((resolve) => {
        connection = new ServerConnection(socket, {
          maxConcurrentStreams: 1,
          frameBytes: 16_384,
          windowBytes: 65_535,
          headerBytes: 4096,
          onStream: resolve,
          onClose: () => undefined,
          onError: () => assert.fail(),
        });
      });
      stream.respond([[':status', '200']], false);
      // More than the kernel takes for a client that does not read.
      for (let sent = 0; sent < 16; sent++) stream.write(Buffer.alloc(1024 * 1024));
      if (reads) while (stream.queuedBytes > 0 || socket.writableLength > 0) await new Promise(setImmediate);
      else while (socket.writableLength === 0) await new Promise(setImmediate);
      assert.ok(connection !== undefined);
      checkIdleSession(connection, 1);
      assert.equal(connection.destroyed, !isKept);
      client.destroy();
      connection.destroy();
      server.close();
    });
  }
});
