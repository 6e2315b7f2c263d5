import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { test } from 'node:test';
import { ServerConnection } from '../../http2/server-connection.ts';
import { checkIdleSession } from './idle-session.ts';

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
/** HEADERS of stream 1, of which 10 of 100 bytes come. */
const partOfHeaders = Buffer.concat([Buffer.from([0, 0, 100, 1, 5, 0, 0, 0, 1]), Buffer.from([0x00, 0x07]), Buffer.from(':method')]);

for (const [what, bytes] of [['without a stream', Buffer.alloc(0)], ['with a stream whose header fields came in part', partOfHeaders]] as const) {
  test(`an idle connection ${what} is closed`, async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const ended = once(client.resume(), 'close');
    const all = Buffer.concat([preface, settings, bytes]);
    client.write(all);
    const [socket] = await once(server, 'connection') as [Socket];
    const connection = new ServerConnection(socket, { maxConcurrentStreams: 1, frameBytes: 16_384, windowBytes: 65_535, headerBytes: 4096, onStream: () => assert.fail(), onClose: () => undefined, onError: () => assert.fail() });
    while (socket.bytesRead < all.length) await new Promise(setImmediate);
    const closed = once(socket, 'close');
    checkIdleSession(connection, 0);
    await Promise.all([ended, closed]);
    assert.ok(connection.destroyed);
    server.close();
  });
}
