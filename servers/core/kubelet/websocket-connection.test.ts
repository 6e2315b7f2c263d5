import assert from 'node:assert/strict';
import { once } from 'node:events';
import { duplexPair, type Duplex } from 'node:stream';
import { describe, test } from 'node:test';
import { WebSocketConnection } from './websocket-connection.ts';

const mask = [1, 2, 3, 4];

/** A frame as clients send it. */
function frame(first: number, payload: readonly number[] = []): Buffer {
  return Buffer.from([
    first,
    0x80 | payload.length,
    ...mask,
    ...payload.map((byte, at) => byte ^ (mask[at % 4] as number)),
  ]);
}

interface Opened {
  readonly client: Duplex;
  readonly connection: WebSocketConnection;
  /** Messages so far, and whether the client is gone. */
  readonly seen: { readonly pieces: string[]; gone: number };
}

function open(takes = true): Opened {
  const [server, client] = duplexPair();
  const seen = { pieces: [] as string[], gone: 0 };
  const connection = new WebSocketConnection(server, {
    onPiece(piece, begins) {
      seen.pieces.push(`${begins ? 'new ' : ''}${piece.toString()}`);
      return takes;
    },
    onMessageEnd: () => seen.pieces.push('end'),
    onDrain: () => undefined,
    onGone: () => void seen.gone++,
  });
  connection.start(Buffer.alloc(0));
  return { client, connection, seen };
}

describe('WebSocketConnection', () => {
  test('delivers fragmented messages and answers pings between the fragments', async () => {
    const { client, seen } = open();
    client.write(
      Buffer.concat([frame(0x02, [0x61, 0x62]), frame(0x89, [0x21]), frame(0x80, [0x63]), frame(0x82, [0x64])]),
    );
    const [pong] = (await once(client, 'data')) as [Buffer];
    assert.deepEqual([...pong], [0x8a, 1, 0x21]);
    assert.deepEqual(seen.pieces, ['new ab', 'c', 'end', 'new d', 'end']);
  });

  test('closes the connection with the status code for each invalid frame', async () => {
    const long = Buffer.alloc(14);
    long.set([0x82, 0xff]);
    long.writeBigUInt64BE(2n ** 40n, 2);
    const cases: readonly (readonly [string, Buffer, number])[] = [
      ['without a mask', Buffer.from([0x82, 1, 0x61]), 1002],
      ['with an extension', frame(0xc2), 1002],
      ['of a kind that there is not', frame(0x83), 1002],
      ['a continuation of nothing', frame(0x80), 1002],
      ['a ping in parts', frame(0x09), 1002],
      ['a long ping', Buffer.from([0x89, 0xfe, 0, 200, ...mask]), 1002],
      ['a terabyte', long, 1009],
    ];
    for (const [name, bytes, code] of cases) {
      const { client, seen } = open();
      client.write(bytes);
      const [closed] = (await once(client, 'data')) as [Buffer];
      assert.deepEqual([closed[0], closed.readUInt16BE(2), seen.gone, seen.pieces.length], [0x88, code, 1, 0], name);
    }
  });

  test('stops reading from a client that sends pings without reading the replies', async () => {
    const { client, connection } = open();
    const pings = Buffer.concat(Array.from({ length: 1_000 }, () => frame(0x89)));
    let sent = 0;
    while (sent < 1_000 && client.write(pings)) {
      sent++;
      connection.resume();
      await new Promise(setImmediate);
    }
    assert.ok(sent < 1_000);
  });

  test('closes the connection after random frames', async () => {
    let state = 29;
    const random = (below: number): number => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) % below;
    for (let round = 0; round < 300; round++) {
      const { client } = open();
      client.resume();
      for (let count = random(8); count >= 0; count--) {
        const valid = frame(
          [0x82, 0x02, 0x80, 0x89, 0x8a, 0x88][random(6)] as number,
          Array.from({ length: random(100) }, () => random(256)),
        );
        if (random(3) === 0) valid[random(valid.length)] = random(256);
        client.write(valid.subarray(0, random(20) === 0 ? random(valid.length) : valid.length));
      }
      client.end();
      await once(client, 'close');
    }
  });
});
