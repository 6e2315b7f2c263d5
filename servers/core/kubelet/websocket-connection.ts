import { Buffer } from 'node:buffer';
import type { Duplex } from 'node:stream';
import { readOnAfterFailedWrites } from '#shared/request/failed-writes.ts';
import { gatherWrites } from '#shared/request/gather-writes.ts';
import { endConnection } from '#shared/request/join-connections.ts';
import { frameHead, opcode } from '#shared/request/websocket-frames.ts';

/** The limit of golang.org/x/net/websocket. */
const maxFrameBytes = 32 * 1024 * 1024;
const maxControlBytes = 125;
const protocolError = 1002;
const tooBig = 1009;

export interface WebSocketEvents {
  /**
   * Part of a message from the client; `begins` is true for the first part. Return false to hold back further parts
   * until {@link WebSocketConnection.resume}; parts that were already received are still delivered.
   */
  onPiece(piece: Buffer, begins: boolean): boolean;
  /** The message is complete. */
  onMessageEnd(): void;
  /** The client has room again. */
  onDrain(): void;
  /** Called once, when the client has disconnected or violated the protocol. */
  onGone(): void;
}

/**
 * The server's end of a WebSocket, after the handshake (RFC 6455). Messages are delivered in pieces as they arrive and
 * are never buffered, so their size does not matter.
 */
export class WebSocketConnection {
  readonly #socket: Duplex;
  readonly #events: WebSocketEvents;
  readonly #head = Buffer.alloc(14);
  #headBytes = 0;
  #frame: Frame | undefined;
  /** The payload of a control frame that was received so far. */
  #control = Buffer.alloc(0);
  #midMessage = false;
  #begins = false;
  #over = false;
  #goneReported = false;
  /** Delivery is held back until {@link resume}. */
  #isHeld = false;
  /** Replies to pings wait for the client to read them; until then nothing more is read from it. */
  #pongsWait = false;

  constructor(socket: Duplex, events: WebSocketEvents) {
    this.#socket = socket;
    readOnAfterFailedWrites(socket);
    this.#events = events;
    socket.on('error', () => socket.destroy());
    socket.on('drain', () => {
      this.#pongsWait = false;
      this.#read();
      events.onDrain();
    });
    socket.on('end', () => this.#gone());
    socket.on('close', () => this.#gone());
  }

  /** Begins to read. `head`: bytes that were received behind the client's handshake request. */
  start(head: Buffer): void {
    this.#socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    if (head.length > 0) this.#receive(head);
  }

  resume(): void {
    this.#isHeld = false;
    this.#read();
  }

  /**
   * Sends one message made of `prefix` and `payload`, binary or text. False when the client has to catch up: see {@link
   * WebSocketEvents.onDrain}.
   */
  send(
    prefix: Uint8Array,
    payload: Uint8Array,
    code: typeof opcode.binary | typeof opcode.text = opcode.binary,
  ): boolean {
    if (this.#over || this.#socket.destroyed || !this.#socket.writable) return true;
    gatherWrites(this.#socket);
    this.#socket.write(Buffer.concat([frameHead(code, prefix.length + payload.length), prefix]));
    return payload.length === 0 || this.#socket.write(payload);
  }

  close(code = 1000): void {
    if (this.#over) return;
    this.#over = true;
    this.#socket.write(Buffer.concat([frameHead(opcode.close, 2), Buffer.from([code >> 8, code & 0xff])]));
    this.#socket.resume();
    endConnection(this.#socket);
  }

  #read(): void {
    if (!this.#isHeld && !this.#pongsWait) this.#socket.resume();
  }

  #gone(): void {
    if (!this.#over) {
      this.#over = true;
      endConnection(this.#socket);
    }
    if (!this.#goneReported) this.#events.onGone();
    this.#goneReported = true;
  }

  #fail(code: number): void {
    this.close(code);
    this.#gone();
  }

  #receive(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length && !this.#over) {
      if (this.#frame === undefined) {
        at = this.#readHead(chunk, at);
        continue;
      }
      const piece = chunk.subarray(at, at + this.#frame.left);
      at += piece.length;
      this.#take(this.#frame, piece);
    }
  }

  /** Reads bytes of a frame's head. Returns the offset of the next byte to read. */
  #readHead(chunk: Buffer, from: number): number {
    const head = this.#head;
    let at = from;
    while (at < chunk.length) {
      head[this.#headBytes++] = chunk[at++] as number;
      if (this.#headBytes < 2 || this.#headBytes < headLength(head)) continue;
      this.#headBytes = 0;
      this.#begin();
      return at;
    }
    return at;
  }

  #begin(): void {
    const head = this.#head;
    const [first = 0, second = 0] = head;
    const code = first & 0x0f;
    const final = (first & 0x80) !== 0;
    const short = second & 0x7f;
    const length = short === 126 ? head.readUInt16BE(2) : short === 127 ? Number(head.readBigUInt64BE(2)) : short;
    const isControl = code >= opcode.close;
    // Clients must mask every frame, and no extensions were negotiated.
    if ((second & 0x80) === 0 || (first & 0x70) !== 0) return this.#fail(protocolError);
    if (
      isControl
        ? !final || length > maxControlBytes || code > opcode.pong
        : code > opcode.binary || (code === opcode.continuation) !== this.#midMessage
    )
      return this.#fail(protocolError);
    if (length > maxFrameBytes) return this.#fail(tooBig);
    const maskFrom = headLength(head) - 4;
    this.#frame = { code, final, left: length, mask: Buffer.from(head.subarray(maskFrom, maskFrom + 4)), maskAt: 0 };
    if (!isControl) {
      if (code !== opcode.continuation) this.#begins = true;
      this.#midMessage = !final;
    }
    if (length === 0) this.#take(this.#frame, Buffer.alloc(0));
  }

  #take(frame: Frame, piece: Buffer): void {
    unmask(piece, frame.mask, frame.maskAt);
    frame.maskAt = (frame.maskAt + piece.length) & 3;
    frame.left -= piece.length;
    if (frame.code >= opcode.close) this.#control = Buffer.concat([this.#control, piece]);
    else if (piece.length > 0) {
      if (!this.#events.onPiece(piece, this.#begins)) {
        this.#isHeld = true;
        this.#socket.pause();
      }
      this.#begins = false;
    }
    if (frame.left > 0) return;
    this.#frame = undefined;
    if (frame.code >= opcode.close) this.#endControl(frame.code);
    else if (frame.final) this.#events.onMessageEnd();
  }

  #endControl(code: number): void {
    const payload = this.#control;
    this.#control = Buffer.alloc(0);
    if (code === opcode.close) {
      this.close();
      this.#gone();
    } else if (code === opcode.ping) {
      this.#pongsWait = !this.#socket.write(Buffer.concat([frameHead(opcode.pong, payload.length), payload]));
      if (this.#pongsWait) this.#socket.pause();
    }
  }
}

interface Frame {
  readonly code: number;
  readonly final: boolean;
  left: number;
  readonly mask: Buffer;
  /** Offset of the mask byte that applies to the next byte. */
  maskAt: number;
}

/** Removes the mask in place. */
function unmask(piece: Buffer, mask: Buffer, from: number): void {
  for (let at = 0; at < piece.length; at++) piece[at] = (piece[at] as number) ^ (mask[(from + at) & 3] as number);
}

/** The length of a frame's head, mask included, from its first two bytes. */
function headLength(head: Buffer): number {
  const short = (head[1] as number) & 0x7f;
  return 2 + (short === 126 ? 2 : short === 127 ? 8 : 0) + (((head[1] as number) & 0x80) === 0 ? 0 : 4);
}
