import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { ServerConnection } from '#shared/http2/server-connection.ts';
import { headerBlock, headersFrames } from '#test/robustness/attacks/protocol/http2-wire.ts';
import { frame, http2Preface } from '#test/robustness/hostile/raw-connection.ts';
import { FedSocket } from './fed-socket.ts';
import { promise, type FuzzTarget } from './fuzz-target.ts';

const post = headerBlock([
  [':method', 'POST'],
  [':scheme', 'https'],
  [':authority', 'a'],
  [':path', '/a'],
  ['content-length', '5'],
]);
const get = headerBlock([
  [':method', 'GET'],
  [':scheme', 'https'],
  [':authority', 'a'],
  [':path', '/a?b'],
]);
/** `:method GET` and `:scheme https` by index, `:path` by Huffman's code, and a field that goes into the table. */
const indexed = Buffer.from([0x82, 0x87, 0x44, 0x84, 0x62, 0x53, 0x9f, 0xff, 0x40, 0x01, 0x61, 0x01, 0x62]);

/** What a connection makes of its pieces: the requests with their bodies, and whether it goes on. */
function servedOf(pieces: readonly Buffer[]): string {
  const socket = new FedSocket();
  const bodies: string[][] = [];
  const seen: string[] = [];
  const faults: unknown[] = [];
  let closes = 0;
  const connection = new ServerConnection(socket as unknown as Socket, {
    maxConcurrentStreams: 5,
    frameBytes: 16_384,
    windowBytes: 65_535,
    headerBytes: 2000,
    onStream(stream) {
      const parts: string[] = [];
      bodies.push(parts);
      const { headers, rawHeaders, refusal } = stream.head;
      const head = JSON.stringify([stream.id, Object.entries(headers), rawHeaders, refusal]);
      seen.push(head);
      promise(
        rawHeaders.every((text) => !/[\0\r\n]/.test(text)),
        'a field holds the end of a line',
      );
      if (stream.body !== undefined)
        stream.body.reader = { readable: readAll, broken: (why) => void parts.push(why ?? 'broken') };
      stream.listener = { streamAnswered: () => undefined, streamClosed: () => void (closes += 1) };
      function readAll(): void {
        for (let chunk = stream.body?.read(); chunk !== undefined; chunk = stream.body?.read())
          parts.push(chunk.toString('latin1'));
      }
    },
    onClose: () => undefined,
    onError: (error) => faults.push(error),
  });
  for (const piece of pieces) if (!socket.destroyed) socket.emit('data', piece);
  const goesOn = !connection.destroyed;
  connection.destroy();
  promise(faults.length === 0, `a fault that no client can cause: ${String(faults[0])}`);
  promise(closes === bodies.length, `${bodies.length} streams, ${closes} ends`);
  return JSON.stringify([seen, bodies.map((parts) => parts.join('')), goesOn]);
}

/** What clients say over HTTP/2. */
export const http2Target: FuzzTarget = {
  name: 'http2-frames',
  refusals: [],
  samples: [
    Buffer.concat([
      http2Preface,
      headersFrames(1, get, true),
      headersFrames(3, post, false),
      frame(0, 1, 3, Buffer.from('12345')),
      frame(8, 0, 0, Buffer.from([0, 0, 0, 9])),
      frame(6, 0, 0, Buffer.alloc(8)),
    ]),
    Buffer.concat([
      http2Preface,
      frame(1, 0x25, 1, Buffer.concat([Buffer.from([0, 0, 0, 3, 9]), indexed])),
      frame(1, 1, 3, indexed.subarray(0, 5)),
      frame(9, 4, 3, indexed.subarray(5)),
      frame(3, 0, 3, Buffer.from([0, 0, 0, 8])),
      frame(4, 0, 0, Buffer.from([0, 4, 0, 0, 0, 9, 0, 1, 0, 0, 0, 0])),
    ]),
    Buffer.concat([
      http2Preface,
      headersFrames(5, post, false),
      frame(0, 8, 5, Buffer.from([2, 97, 97, 0, 0])),
      headersFrames(5, headerBlock([['x', 'y']]), true),
      frame(7, 0, 0, Buffer.alloc(8)),
    ]),
  ],
  tokens: [
    '\x00\x00\x00\x04\x01\x00\x00\x00\x00',
    '\x00\x00\x05\x00\x01\x00\x00\x00\x01',
    '\x00\x40\x00\x01\x04',
    '\x00\x00\x00\x09\x04\x00\x00\x00\x01',
    '\xff\xff\xff\xff\x7f',
    '\x3f\xe1\x1f',
    '\xbe',
    '\x40\x01a\x01b',
    '\x80',
    '\x00\x00\x04\x08\x00\x00\x00\x00\x01\x7f\xff\xff\xff',
  ],
  run: (bytes) => {
    const middle = Math.floor(bytes.length / 3);
    const cut = [bytes.subarray(0, middle), bytes.subarray(middle, middle + 1), bytes.subarray(middle + 1)];
    promise(servedOf([bytes]) === servedOf(cut), 'requests depend on how the bytes came');
  },
};
