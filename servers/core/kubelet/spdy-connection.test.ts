import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { duplexPair, type Duplex } from 'node:stream';
import { describe, test } from 'node:test';
import { SpdyConnection } from './spdy-connection.ts';

function data(id: number, text: string, flags = 0): Buffer {
  const frame = Buffer.alloc(8 + text.length);
  frame.writeUInt32BE(id, 0);
  frame.writeUInt32BE(text.length, 4);
  frame[4] = flags;
  frame.write(text, 8);
  return frame;
}

function control(type: number, payload: Buffer, flags = 0): Buffer {
  const frame = Buffer.alloc(8);
  frame.writeUInt16BE(0x8003, 0);
  frame.writeUInt16BE(type, 2);
  frame.writeUInt32BE(payload.length, 4);
  frame[4] = flags;
  return Buffer.concat([frame, payload]);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value, 0);
  return bytes;
}

function open(): { readonly kubelet: Duplex; readonly connection: SpdyConnection } {
  const [server, kubelet] = duplexPair();
  return { kubelet, connection: new SpdyConnection(server, Buffer.alloc(0), () => undefined) };
}

/** What a stream hears. */
function listen(connection: SpdyConnection): {
  readonly heard: string[];
  readonly ended: Promise<void>;
  readonly accepted: Promise<void>;
} {
  const heard: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const { accepted } = connection.open(
    { streamtype: 'stdout' },
    {
      onData(chunk) {
        heard.push(chunk.toString());
        return true;
      },
      onEnd() {
        heard.push('end');
        resolve();
      },
    },
  );
  return { heard, ended: promise, accepted };
}

describe('SpdyConnection', () => {
  test('delivers data to its stream when frames arrive byte by byte, and ends the stream once', async () => {
    const { kubelet, connection } = open();
    const stream = listen(connection);
    kubelet.resume();
    const bytes = Buffer.concat([
      control(2, number(1)),
      data(3, 'of nobody'),
      data(1, 'ab'),
      data(1, 'c', 1),
      data(1, '', 1),
    ]);
    for (const byte of bytes) kubelet.write(Buffer.from([byte]));
    await stream.accepted;
    await stream.ended;
    assert.deepEqual([stream.heard.join(''), stream.heard.filter((each) => each === 'end').length], ['abcend', 1]);
    connection.close();
  });

  test('ends a stream on reset and all streams when the connection closes', async () => {
    const { kubelet, connection } = open();
    const [reset, left] = [listen(connection), listen(connection)];
    kubelet.resume();
    kubelet.write(control(3, Buffer.concat([number(1), number(5)])));
    await reset.ended;
    kubelet.end();
    await left.ended;
  });

  test('delivers the last data of a kubelet that resets the connection', async (t) => {
    const server = createServer().listen(0, '127.0.0.1');
    t.after(() => server.close());
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [[kubelet]] = await Promise.all([once(server, 'connection') as Promise<[Socket]>, once(socket, 'connect')]);
    kubelet.on('error', () => undefined).pause();
    const heard: string[] = [];
    const connection = new SpdyConnection(socket, Buffer.alloc(0), () => undefined);
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const stream = connection.open(
      { streamtype: 'stdout' },
      { onData: (chunk) => heard.push(chunk.toString()) > 0, onEnd: resolve },
    );
    kubelet.write(data(1, 'the last words'));
    kubelet.resetAndDestroy();
    stream.write(Buffer.alloc(100_000));
    await ended;
    assert.deepEqual(heard, ['the last words']);
  });

  test('stops reading from a kubelet that sends pings without reading the replies', async () => {
    const { kubelet, connection } = open();
    const pings = Buffer.concat(Array.from({ length: 1_000 }, () => control(6, number(2))));
    let sent = 0;
    while (sent < 1_000 && kubelet.write(pings)) {
      sent++;
      connection.resume();
      await new Promise(setImmediate);
    }
    assert.ok(sent < 1_000);
    connection.close();
  });

  test('ends streams and the connection on random frames', async () => {
    let state = 31;
    const random = (below: number): number => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) % below;
    for (let round = 0; round < 300; round++) {
      const { kubelet, connection } = open();
      const stream = listen(connection);
      kubelet.resume();
      for (let count = random(8); count >= 0; count--) {
        const text = 'x'.repeat(random(50));
        const valid =
          random(2) === 0
            ? data(random(4), text, random(2))
            : control(random(12), Buffer.concat([number(random(4)), Buffer.from(text)]), random(2));
        if (random(3) === 0) valid[random(valid.length)] = random(256);
        kubelet.write(valid);
      }
      kubelet.end();
      await stream.ended;
      connection.close();
      if (!kubelet.destroyed) await once(kubelet, 'close');
    }
  });
});
