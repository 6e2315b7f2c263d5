import assert from 'node:assert/strict';
import { once } from 'node:events';
import { duplexPair } from 'node:stream';
import { describe, test } from 'node:test';
import { acceptOf } from '#shared/request/websocket-frames.ts';
import { WebSocketStream } from './websocket-stream.ts';

describe('acceptOf', () => {
  test("returns the RFC 6455 example's accept key", () => {
    assert.equal(acceptOf('dGhlIHNhbXBsZSBub25jZQ=='), 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
  });
});

describe('WebSocketStream', () => {
  test('sends each line as a text message, with a two-byte length from 126 bytes', async () => {
    const [server, client] = duplexPair();
    const stream = new WebSocketStream(server, Buffer.alloc(0), 'lines', () => undefined);
    stream.write(`a\n${'b'.repeat(200)}\n`);
    stream.end();
    const chunks: Buffer[] = [];
    for await (const chunk of client) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    assert.deepEqual([...bytes.subarray(0, 4)], [0x81, 2, 0x61, 0x0a]);
    assert.deepEqual([...bytes.subarray(4, 8)], [0x81, 126, 0, 201]);
    assert.deepEqual([...bytes.subarray(-4)], [0x88, 2, 0x03, 0xe8]);
  });

  test('sends messages of a binary form without their length prefix', async () => {
    const [server, client] = duplexPair();
    const stream = new WebSocketStream(server, Buffer.alloc(0), 'frames', () => undefined);
    stream.write(Buffer.from([0, 0, 0, 1, 7, 0, 0, 0, 2, 8, 9]));
    const [chunk] = (await once(client, 'data')) as [Buffer];
    assert.deepEqual([...chunk], [0x82, 1, 7, 0x82, 2, 8, 9]);
    stream.abort();
  });

  test('answers a ping, and closes after a close frame', async () => {
    const [server, client] = duplexPair();
    const stream = new WebSocketStream(server, Buffer.alloc(0), 'lines', () => undefined);
    client.write(Buffer.from([0x89, 0x81, 1, 2, 3, 4, 0x41 ^ 1]));
    const [pong] = (await once(client, 'data')) as [Buffer];
    assert.deepEqual([...pong], [0x8a, 1, 0x41]);
    client.write(Buffer.from([0x88, 0x80, 1, 2, 3, 4]));
    const [closed] = (await once(client, 'data')) as [Buffer];
    assert.equal(closed[0], 0x88);
    assert.equal(stream.write('late\n'), true);
  });

  test('stops reading a client that sends pings and reads no answers', async () => {
    const [server, client] = duplexPair();
    const stream = new WebSocketStream(server, Buffer.alloc(0), 'lines', () => undefined);
    const pings = Buffer.concat(Array.from({ length: 1_000 }, () => Buffer.from([0x89, 0x80, 1, 2, 3, 4])));
    let sent = 0;
    // Until both ends have no room left.
    while (sent < 1_000 && client.write(pings)) {
      sent++;
      await new Promise(setImmediate);
    }
    assert.ok(sent < 1_000);
    let unread = 2 * 1_000 * (sent + 1);
    await new Promise<void>((resolve) =>
      client.on('data', (chunk: Buffer) => {
        unread -= chunk.length;
        if (unread <= 0) resolve();
      }),
    );
    assert.equal(unread, 0);
    stream.abort();
  });
});
