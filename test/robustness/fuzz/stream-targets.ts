import { Buffer } from 'node:buffer';
import { SpdyConnection } from '#servers/core/kubelet/spdy-connection.ts';
import { streamProtocols, terminalOutcome } from '#servers/core/kubelet/terminal-outcome.ts';
import { TerminalSizes } from '#servers/core/kubelet/terminal-sizes.ts';
import { WebSocketConnection } from '#servers/core/kubelet/websocket-connection.ts';
import { FedSocket } from './fed-socket.ts';
import { promise, type FuzzTarget } from './fuzz-target.ts';

/** Of a client: masked, with the mask 0, by which the payload stays as it is. */
function clientFrame(first: number, payload: string): Buffer {
  const bytes = Buffer.from(payload, 'latin1');
  return Buffer.concat([Buffer.from([first, 0x80 | bytes.length, 0, 0, 0, 0]), bytes]);
}

function spdyData(id: number, flags: number, payload: string): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(id, 0);
  head.writeUInt32BE(payload.length, 4);
  head[4] = flags;
  return Buffer.concat([head, Buffer.from(payload, 'latin1')]);
}

function spdyControl(type: number, flags: number, payload: readonly number[]): Buffer {
  return Buffer.concat([Buffer.from([0x80, 3, 0, type, flags, 0, 0, payload.length]), Buffer.from(payload)]);
}

/** The pieces of an input: whole, and cut in three. */
function cuts(bytes: Buffer): [Buffer[], Buffer[]] {
  const middle = Math.floor(bytes.length / 3);
  // Frames are unmasked in place.
  const copy = (from: number, to?: number): Buffer => Buffer.from(bytes.subarray(from, to));
  return [[copy(0)], [copy(0, middle), copy(middle, middle + 1), copy(middle + 1)]];
}

function messagesOf(pieces: readonly Buffer[]): string {
  const socket = new FedSocket();
  const seen: string[] = [];
  let gone = 0;
  const connection = new WebSocketConnection(socket.asDuplex, {
    onPiece: (piece, begins) => seen.push(`${begins ? '\n' : ''}${piece.toString('latin1')}`) > 0,
    onMessageEnd: () => void seen.push('.'),
    onDrain: () => undefined,
    onGone: () => void gone++,
  });
  connection.start(Buffer.alloc(0));
  for (const piece of pieces) socket.emit('data', piece);
  socket.destroy();
  promise(gone === 1, `the end was told ${gone} times`);
  const answered = socket.written.reduce((sum, { length }) => sum + length, 0);
  promise(answered <= pieces.reduce((sum, { length }) => sum + length, 0) + 4, 'more is answered than was sent');
  return `${seen.join('')}|${Buffer.concat(socket.written).toString('latin1')}`;
}

function streamsOf(pieces: readonly Buffer[]): string {
  const socket = new FedSocket();
  const seen: string[][] = [[], [], []];
  const ends = [0, 0, 0];
  const connection = new SpdyConnection(socket.asDuplex, Buffer.alloc(0), () => undefined);
  for (const [at, streamtype] of ['error', 'stdout', 'stderr'].entries()) {
    connection.open(
      { streamtype },
      {
        onData: (chunk) => (seen[at]?.push(chunk.toString('latin1')) ?? 0) > 0,
        onEnd: () => void (ends[at] = (ends[at] ?? 0) + 1),
      },
    );
  }
  const opened = socket.written.length;
  for (const piece of pieces) socket.emit('data', piece);
  socket.destroy();
  promise(
    ends.every((count) => count === 1),
    `streams ended ${ends.join()} times`,
  );
  return `${seen.map((parts) => parts.join('')).join('|')}|${Buffer.concat(socket.written.slice(opened)).toString('latin1')}`;
}

const exit =
  '{"metadata":{},"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":"3"}]}}';

/** What clients and kubelets say on streams that are translated. */
export const streamTargets: readonly FuzzTarget[] = [
  {
    name: 'websocket-frames',
    refusals: [],
    samples: [
      Buffer.concat([
        clientFrame(0x82, '\x00input'),
        clientFrame(0x82, '\x04{"Width":1,"Height":2}'),
        clientFrame(0x89, 'ping'),
        clientFrame(0x82, '\xff\x00'),
        clientFrame(0x88, '\x03\xe8'),
      ]),
      Buffer.concat([
        clientFrame(0x02, '\x00a'),
        clientFrame(0x00, 'b'),
        clientFrame(0x8a, ''),
        clientFrame(0x80, 'c'),
        clientFrame(0x81, 'text'),
      ]),
      Buffer.concat([
        Buffer.from([0x82, 0xfe, 0, 130, 0, 0, 0, 0]),
        Buffer.alloc(130, 'x'),
        Buffer.from([0x82, 0xff, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
        Buffer.alloc(65_536 - 200, 'y'),
      ]),
    ],
    tokens: [
      '\x82\x80\x00\x00\x00\x00',
      '\x89\x80\x00\x00\x00\x00',
      '\x88\x80\x00\x00\x00\x00',
      '\x82\xff\x7f\xff\xff\xff\xff\xff\xff\xff',
      '\x82\x05',
      '\xc2\x80',
      '\x00\x80\x00\x00\x00\x00',
      '\x82\xfe\xff\xff',
    ],
    run: (bytes) => {
      const [whole, parts] = cuts(bytes);
      promise(messagesOf(whole) === messagesOf(parts), 'messages depend on how the bytes came');
    },
  },
  {
    name: 'spdy-frames',
    refusals: [],
    samples: [
      Buffer.concat([
        spdyControl(2, 0, [0, 0, 0, 1]),
        spdyControl(2, 0, [0, 0, 0, 3]),
        spdyControl(2, 1, [0, 0, 0, 5]),
        spdyData(3, 0, 'output'),
        spdyControl(6, 0, [0, 0, 0, 2]),
        spdyData(1, 1, exit),
        spdyData(3, 1, ''),
        spdyControl(7, 0, [0, 0, 0, 0, 0, 0, 0, 0]),
      ]),
      Buffer.concat([
        spdyControl(1, 0, [0, 0, 0, 2, 0, 0, 0, 0, 0, 0]),
        spdyControl(3, 0, [0, 0, 0, 3, 0, 0, 0, 1]),
        spdyControl(4, 0, [0, 0, 0, 0]),
        spdyControl(9, 0, [0, 0, 0, 3, 0, 1, 0, 0]),
        spdyData(99, 0, 'nobody'),
      ]),
    ],
    tokens: [
      '\x80\x03\x00\x02',
      '\x80\x03\x00\x03',
      '\x80\x03\x00\x06\x00\x00\x00\x04\x00\x00\x00\x02',
      '\x80\x03\x00\x07',
      '\x00\x00\x00\x03\x01\x00\x00\x00',
      '\xff\xff\xff\xff',
      '\x00\x00\x00\x01\x00\xff\xff\xff',
    ],
    run: (bytes) => {
      const [whole, parts] = cuts(bytes);
      promise(streamsOf(whole) === streamsOf(parts), 'streams depend on how the bytes came');
    },
  },
  {
    name: 'terminal-outcome',
    refusals: [],
    samples: [
      exit,
      '{"status":"Success"}',
      '',
      'plain words',
      '[]',
      '{"status":"Failure","message":"x","reason":"InternalError","details":null}',
    ],
    tokens: ['"details":', '"causes":', '[{', '"message":"256"', '"message":-1', '"reason":{}', '\x00', '\xff'],
    run: (bytes) => {
      for (const protocol of [...streamProtocols, ''])
        promise(
          typeof JSON.parse(terminalOutcome(protocol, bytes.toString('utf8'))) === 'object',
          'the outcome is no object',
        );
    },
  },
  {
    name: 'terminal-sizes',
    refusals: [],
    samples: ['{"Width":80,"Height":24}{"width":1,"HEIGHT":65535}\n', '{"Width":-1}', '{"Width":1e2,"Other":{}}'],
    tokens: ['{', '}', '"Width":', '"Height":65536', '1.5', '\x00'],
    run: (bytes) => {
      const sizes = new TerminalSizes();
      const middle = Math.floor(bytes.length / 2);
      for (const part of [bytes.subarray(0, middle), bytes.subarray(middle)]) {
        for (const line of (sizes.take(part) ?? '').split('\n').filter((text) => text !== ''))
          promise(/^\{"Width":\d+,"Height":\d+\}$/.test(line), 'a size is none');
      }
    },
  },
];
