import { Buffer } from 'node:buffer';
import type { Duplex } from 'node:stream';
import { constants, inflateSync } from 'node:zlib';

/** A stream as the server sees it. */
export interface ServedStream {
  readonly type: string;
  /** What came on it, and whether that is all. */
  received: Buffer;
  ended: boolean;
  send(text: string | Buffer, last?: boolean): void;
}

/** The server's end of a SPDY/3.1 connection, written for tests: it takes every stream, and windows do not matter. */
export class FakeSpdy {
  readonly streams = new Map<string, ServedStream>();
  readonly #socket: Duplex;
  readonly #byId = new Map<number, ServedStream>();
  #bytes = Buffer.alloc(0);
  /** Header blocks of a connection are one compressed text. */
  #headers = Buffer.alloc(0);
  #headersRead = 0;
  #waiting: (() => void)[] = [];

  constructor(socket: Duplex, protocol: string) {
    this.#socket = socket;
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: ${protocol}\r\n\r\n`,
    );
    socket.on('data', (chunk: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
      while (this.#frame()) continue;
      for (const resolve of this.#waiting.splice(0)) resolve();
    });
  }

  /** Resolves when it holds, which is looked at whenever something came. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #frame(): boolean {
    const length = this.#bytes.length < 8 ? Infinity : this.#bytes.readUInt32BE(4) & 0xff_ffff;
    if (this.#bytes.length < 8 + length) return false;
    const [head, payload] = [this.#bytes.subarray(0, 8), Buffer.from(this.#bytes.subarray(8, 8 + length))];
    this.#bytes = this.#bytes.subarray(8 + length);
    if ((head[0] as number) < 0x80) this.#data(head, payload);
    else if (head.readUInt16BE(2) === 1) this.#open(payload);
    return true;
  }

  #data(head: Buffer, payload: Buffer): void {
    const stream = this.#byId.get(head.readUInt32BE(0));
    if (stream === undefined) return;
    stream.received = Buffer.concat([stream.received, payload]);
    stream.ended ||= head[4] === 1;
  }

  #open(payload: Buffer): void {
    const id = payload.readUInt32BE(0);
    this.#headers = Buffer.concat([this.#headers, payload.subarray(10)]);
    const all = inflateSync(this.#headers, { finishFlush: constants.Z_SYNC_FLUSH });
    const block = all.subarray(this.#headersRead);
    this.#headersRead = all.length;
    const nameLength = block.readUInt32BE(4);
    const stream: ServedStream = {
      type: block.subarray(12 + nameLength).toString(),
      received: Buffer.alloc(0),
      ended: false,
      send: (text, last = false) => void this.#socket.write(frame(id, Buffer.from(text), last)),
    };
    this.#byId.set(id, stream);
    this.streams.set(stream.type, stream);
    const reply = Buffer.alloc(12);
    reply.writeUInt32BE(0x8003_0002, 0);
    reply.writeUInt32BE(4, 4);
    reply.writeUInt32BE(id, 8);
    this.#socket.write(reply);
  }
}

function frame(id: number, payload: Buffer, last: boolean): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(id, 0);
  head.writeUInt32BE(payload.length, 4);
  head[4] = last ? 1 : 0;
  return Buffer.concat([head, payload]);
}
