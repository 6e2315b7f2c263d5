import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerHttp2Session } from 'node:http2';
import { connect, type AddressInfo } from 'node:net';
import { test } from 'node:test';
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
    client.write(Buffer.concat([preface, settings, bytes]));
    const [session] = await once(server, 'session') as [ServerHttp2Session];
    const streamsBegun = bytes.length === 0 ? 0 : 1;
    // The session counts what has come of the stream.
    while ((session.state.lastProcStreamID ?? 0) < streamsBegun) await new Promise(setImmediate);
    checkIdleSession(session, 0);
    await ended;
    assert.ok(session.destroyed);
    server.close();
  });
}
