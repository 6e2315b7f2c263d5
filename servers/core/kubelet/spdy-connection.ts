import { Buffer } from 'node:buffer';
import type { Duplex } from 'node:stream';
import { readOnAfterFailedWrites } from '#shared/request/failed-writes.ts';
import { gatherWrites } from '#shared/request/gather-writes.ts';
import { endConnection } from '#shared/request/join-connections.ts';

/** Kinds of control frames (SPDY protocol, draft 3.1, section 2.6). */
const kind = { synStream: 1, synReply: 2, rstStream: 3, ping: 6, goAway: 7 } as const;
const fin = 0x01;
/** The interval of pings, as in client-go; without them a proxy in between may close an idle connection. */
const pingMs = 5_000;

export interface SpdyStreamEvents {
  /**
   * Return false to hold back further data until {@link SpdyConnection.resume}; data that was already received is still
   * delivered.
   */
  onData(chunk: Buffer): boolean;
  /** Called once, when no more data comes on this stream. */
  onEnd(): void;
}

/** The client's end of a stream. */
export interface SpdyStream {
  /** Resolves when the kubelet has accepted the stream; its library discards data that arrives before. */
  readonly accepted: Promise<void>;
  /** False when the kubelet has to catch up: see `onDrain` of the connection. */
  write(chunk: Uint8Array): boolean;
  /** Nothing more will be written. */
  end(): void;
}

interface OpenStream extends SpdyStreamEvents {
  readonly accept: () => void;
  remoteEnded: boolean;
}

/**
 * The client's end of a SPDY/3.1 connection to a kubelet, with the parts that `exec` and `attach` need. Kubelets and
 * container runtimes use moby/spdystream, which has no flow-control windows, so back-pressure is that of the TCP
 * connection. Headers are sent in stored zlib blocks; headers of replies are ignored, since they are not needed.
 */
export class SpdyConnection {
  readonly #socket: Duplex;
  readonly #streams = new Map<number, OpenStream>();
  readonly #head = Buffer.alloc(8);
  readonly #pings: NodeJS.Timeout;
  #headBytes = 0;
  #left = 0;
  /** The first bytes of a control frame's payload, which are enough for every kind of frame. */
  readonly #control = Buffer.alloc(8);
  #controlBytes = 0;
  #nextStream = 1;
  #nextPing = 1;
  /** Reading is held back until {@link resume}. */
  #isHeld = false;
  /** Replies to pings wait for the kubelet to read them; until then nothing more is read from it. */
  #pongsWait = false;

  /**
   * `onDrain` is called when the kubelet has caught up with what was written. The end of the connection ends all
   * streams.
   */
  constructor(socket: Duplex, head: Buffer, onDrain: () => void) {
    this.#socket = socket;
    readOnAfterFailedWrites(socket);
    this.#pings = setInterval(() => this.#ping(), pingMs).unref();
    socket.on('error', () => socket.destroy());
    socket.on('drain', () => {
      this.#pongsWait = false;
      this.#read();
      onDrain();
    });
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('end', () => endConnection(socket));
    socket.on('close', () => {
      clearInterval(this.#pings);
      for (const stream of this.#streams.values()) this.#endRemote(stream);
    });
    if (head.length > 0) this.#receive(head);
  }

  open(headers: Readonly<Record<string, string>>, events: SpdyStreamEvents): SpdyStream {
    const id = this.#nextStream;
    this.#nextStream += 2;
    const accepted = Promise.withResolvers<void>();
    const payload = Buffer.alloc(10);
    payload.writeUInt32BE(id, 0);
    this.#write(controlHead(kind.synStream, payload, headerBlock(headers, id === 1)));
    this.#streams.set(id, {
      onData: (chunk) => events.onData(chunk),
      onEnd: () => events.onEnd(),
      accept: accepted.resolve,
      remoteEnded: false,
    });
    let ended = false;
    return {
      accepted: accepted.promise,
      write: (chunk) => ended || chunk.length === 0 || this.#writeData(id, chunk, 0),
      end: () => {
        if (!ended) this.#writeData(id, Buffer.alloc(0), fin);
        ended = true;
      },
    };
  }

  resume(): void {
    this.#isHeld = false;
    this.#read();
  }

  /** Sends GOAWAY and ends the connection once everything written before has gone out. */
  close(): void {
    clearInterval(this.#pings);
    this.#write(controlHead(kind.goAway, Buffer.alloc(8)));
    this.#socket.resume();
    endConnection(this.#socket);
  }

  #read(): void {
    if (!this.#isHeld && !this.#pongsWait) this.#socket.resume();
  }

  #ping(): void {
    const payload = Buffer.alloc(4);
    payload.writeUInt32BE(this.#nextPing, 0);
    this.#nextPing = ((this.#nextPing + 2) % 0xffff_fff0) | 1;
    this.#write(controlHead(kind.ping, payload));
  }

  #writeData(id: number, chunk: Uint8Array, flags: number): boolean {
    let hasRoom = true;
    // A frame's length has 24 bits.
    for (let at = 0; at === 0 || at < chunk.length; at += 0xff_ffff) {
      const part = chunk.subarray(at, at + 0xff_ffff);
      const head = Buffer.alloc(8);
      head.writeUInt32BE(id, 0);
      head.writeUInt32BE(part.length, 4);
      head[4] = flags;
      this.#write(head);
      if (part.length > 0) hasRoom = this.#write(part);
    }
    return hasRoom;
  }

  #write(bytes: Uint8Array): boolean {
    if (this.#socket.destroyed || !this.#socket.writable) return true;
    gatherWrites(this.#socket);
    return this.#socket.write(bytes);
  }

  #receive(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#headBytes < 8) {
        const taken = chunk.copy(this.#head, this.#headBytes, at);
        this.#headBytes += taken;
        at += taken;
        if (this.#headBytes < 8) return;
        this.#left = this.#head.readUInt32BE(4) & 0xff_ffff;
        this.#controlBytes = 0;
      } else {
        const piece = chunk.subarray(at, at + this.#left);
        at += piece.length;
        this.#left -= piece.length;
        this.#take(piece);
      }
      if (this.#left > 0) continue;
      this.#headBytes = 0;
      this.#endFrame();
    }
  }

  get #isControl(): boolean {
    return ((this.#head[0] as number) & 0x80) !== 0;
  }

  #take(piece: Buffer): void {
    if (this.#isControl) this.#controlBytes += piece.copy(this.#control, this.#controlBytes);
    else if (this.#streams.get(this.#head.readUInt32BE(0))?.onData(piece) === false) {
      this.#isHeld = true;
      this.#socket.pause();
    }
  }

  #endFrame(): void {
    const hasFin = ((this.#head[4] as number) & fin) !== 0;
    if (!this.#isControl) {
      if (hasFin) this.#endRemote(this.#streams.get(this.#head.readUInt32BE(0)));
      return;
    }
    const type = this.#head.readUInt16BE(2);
    if (type === kind.ping && this.#controlBytes >= 4) return this.#answerPing();
    if (type === kind.goAway) return endConnection(this.#socket);
    if ((type !== kind.synReply && type !== kind.rstStream) || this.#controlBytes < 4) return;
    const stream = this.#streams.get(this.#control.readUInt32BE(0) & 0x7fff_ffff);
    stream?.accept();
    if (hasFin || type === kind.rstStream) this.#endRemote(stream);
  }

  /** Replies to the kubelet's pings. Pings with odd numbers are replies to this client's own. */
  #answerPing(): void {
    if (this.#control.readUInt32BE(0) % 2 !== 0) return;
    this.#pongsWait = !this.#write(controlHead(kind.ping, Buffer.from(this.#control.subarray(0, 4))));
    if (this.#pongsWait) this.#socket.pause();
  }

  #endRemote(stream: OpenStream | undefined): void {
    if (stream === undefined || stream.remoteEnded) return;
    stream.remoteEnded = true;
    stream.accept();
    stream.onEnd();
  }
}

/** The head of a control frame with version 3 and no flags. */
function controlHead(type: number, ...payload: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt16BE(0x8003, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt32BE(
    payload.reduce((sum, { length }) => sum + length, 0),
    4,
  );
  return Buffer.concat([head, ...payload]);
}

/**
 * Names and values, each with its length before it, as a stored block. All headers of a connection form one zlib
 * stream; an empty block at the end makes the receiver decode the headers at once (RFC 1950 and 1951).
 */
function headerBlock(headers: Readonly<Record<string, string>>, isFirst: boolean): Buffer {
  const pairs = Object.entries(headers);
  const parts = [
    uint32(pairs.length),
    ...pairs.flat().flatMap((text) => [uint32(Buffer.byteLength(text)), Buffer.from(text)]),
  ];
  const block = Buffer.concat(parts);
  const stored = Buffer.alloc(5);
  stored.writeUInt16LE(block.length, 1);
  stored.writeUInt16LE(~block.length & 0xffff, 3);
  return Buffer.concat([Buffer.from(isFirst ? [0x78, 0x01] : []), stored, block, Buffer.from([0, 0, 0, 0xff, 0xff])]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value, 0);
  return bytes;
}
