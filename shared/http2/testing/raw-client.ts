import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { duplexPair } from 'node:stream';
import { ServerConnection, type ConnectionOptions } from '#shared/http2/server-connection.ts';
import type { Http2Stream } from '#shared/http2/server-stream.ts';

export const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/** Frame types in the order of their codes (RFC 9113 section 6). */
const types = [
  'DATA',
  'HEADERS',
  'PRIORITY',
  'RST_STREAM',
  'SETTINGS',
  'PUSH_PROMISE',
  'PING',
  'GOAWAY',
  'WINDOW_UPDATE',
  'CONTINUATION',
] as const;
export type FrameName = (typeof types)[number];

/** Error codes in their order (RFC 9113 section 7). */
const errors = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
];

/** Flags by the names of RFC 9113 section 6. */
export const flag = { ack: 1, endStream: 1, endHeaders: 4, padded: 8, priority: 0x20 } as const;

/** A frame as RFC 9113 section 4.1 lays it out; written without the code under test. */
export function frame(type: FrameName | number, flags: number, stream: number, payload: Uint8Array | number[]): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = typeof type === 'number' ? type : types.indexOf(type);
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, Buffer.from(payload)]);
}

export function uint32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
  return bytes;
}

export type Setting = readonly [id: number, value: number];

/** A SETTINGS frame. */
export function settings(...pairs: readonly Setting[]): Buffer {
  const payload = pairs.map(([id, value]) => Buffer.concat([Buffer.from([id >> 8, id & 0xff]), uint32(value)]));
  return frame('SETTINGS', 0, 0, Buffer.concat(payload));
}

type Field = readonly [name: string, value: string];

/** A header block of literal fields without indexing and without Huffman coding (RFC 7541 section 6.2.2). */
export function block(...fields: readonly Field[]): Buffer {
  const text = (value: string): Buffer => Buffer.concat([Buffer.from([value.length]), Buffer.from(value, 'latin1')]);
  return Buffer.concat(fields.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]));
}

export const get: readonly Field[] = [
  [':method', 'GET'],
  [':scheme', 'https'],
  [':path', '/'],
];
export const post: readonly Field[] = [[':method', 'POST'], ...get.slice(1)];

/** HEADERS of a GET without a body. */
export function request(stream: number, fields: readonly Field[] = get): Buffer {
  return frame('HEADERS', flag.endStream | flag.endHeaders, stream, block(...fields));
}

/** HEADERS of a POST whose body follows. */
export function upload(stream: number, ...more: readonly Field[]): Buffer {
  return frame('HEADERS', flag.endHeaders, stream, block(...post, ...more));
}

/** A client that writes and reads frames, in front of a server that answers nothing by itself. */
export class RawClient {
  readonly streams: Http2Stream[] = [];
  /** Whether the server has ended the connection. */
  closed = false;
  readonly #socket;
  readonly #connection: ServerConnection;
  #received: Buffer = Buffer.alloc(0);

  constructor(options: Partial<ConnectionOptions> = {}) {
    const [near, far] = duplexPair({ allowHalfOpen: true });
    this.#socket = near;
    near.on('data', (chunk: Buffer) => (this.#received = Buffer.concat([this.#received, chunk])));
    near.on('error', () => undefined);
    far.on('close', () => near.destroy());
    this.#connection = new ServerConnection(far as Socket, {
      maxConcurrentStreams: 10,
      frameBytes: 16_384,
      windowBytes: 65_535,
      headerBytes: 4_096,
      onStream: (stream) => this.streams.push(stream),
      onClose: () => (this.closed = true),
      onError: (error) => {
        throw error;
      },
      ...options,
    });
  }

  get connection(): ServerConnection {
    return this.#connection;
  }

  /** Sends bytes, and resolves when the server has handled them and written its answers. */
  async send(...bytes: readonly Uint8Array[]): Promise<void> {
    if (!this.#socket.destroyed) this.#socket.write(Buffer.concat(bytes));
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  }

  /** The frames that the server has sent, without its SETTINGS and without acknowledgements of the client's. */
  get answers(): readonly string[] {
    const answers: string[] = [];
    for (let at = 0; at + 9 <= this.#received.length;) {
      const length = this.#received.readUIntBE(at, 3);
      const [type, flags] = [types[this.#received[at + 3] as number], this.#received[at + 4] as number];
      const stream = this.#received.readUInt32BE(at + 5);
      const payload = this.#received.subarray(at + 9, at + 9 + length);
      at += 9 + length;
      if (type === 'GOAWAY') answers.push(`GOAWAY ${errors[payload.readUInt32BE(4)]}`);
      else if (type === 'RST_STREAM') answers.push(`RST_STREAM ${stream} ${errors[payload.readUInt32BE(0)]}`);
      else if (type === 'WINDOW_UPDATE') answers.push(`WINDOW_UPDATE ${stream} ${payload.readUInt32BE(0)}`);
      else if (type === 'PING') answers.push(`PING ${flags} ${payload.toString('latin1')}`);
      else if (type !== 'SETTINGS') answers.push(`${type} ${stream} ${flags} ${length}`);
    }
    return answers;
  }

  destroy(): void {
    this.#connection.destroy();
  }
}
