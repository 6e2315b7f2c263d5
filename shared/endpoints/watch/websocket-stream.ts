import type { Duplex } from 'node:stream';
import type { ResponseStream } from '#shared/request/exchange.ts';
import { frameHead, opcode } from '#shared/request/websocket-frames.ts';
import { CborReader } from '#shared/serializer/cbor/reader.ts';

/** Clients of a watch send only pings and close frames. */
const maxClientBytes = 64 * 1024;

/**
 * How events are separated in a stream, each of which becomes a message: lines of JSON, protobuf frames with their
 * lengths, or CBOR items.
 */
export type MessageForm = 'lines' | 'frames' | 'items';

const split: Readonly<Record<MessageForm, (bytes: Buffer) => Buffer[]>> = {
  lines: linesOf,
  frames: framesOf,
  items: itemsOf,
};

/**
 * A watch over a WebSocket: every event is a message of its own, as a text message in JSON, otherwise as a binary
 * message without the length prefix (apiserver/pkg/endpoints/handlers/watch.go, HandleWS). Messages from the client are
 * ignored.
 */
export class WebSocketStream implements ResponseStream {
  readonly #socket: Duplex;
  readonly #form: MessageForm;
  #received = Buffer.alloc(0);
  #ended = false;

  /** @param onGone called when the client has left or violated the protocol */
  constructor(socket: Duplex, head: Buffer, form: MessageForm, onGone: () => void) {
    this.#socket = socket;
    this.#form = form;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('drain', () => socket.resume());
    socket.on('close', onGone);
    socket.on('error', () => socket.destroy());
    if (head.length > 0) this.#receive(head);
  }

  write(chunk: string | Uint8Array): boolean {
    if (this.#ended || this.#socket.destroyed) return true;
    const bytes =
      typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const code = this.#form === 'lines' ? opcode.text : opcode.binary;
    const messages = split[this.#form](bytes);
    return this.#socket.write(Buffer.concat(messages.flatMap((message) => [frameHead(code, message.length), message])));
  }

  get bufferedBytes(): number {
    return this.#socket.writableLength;
  }

  onDrain(listener: () => void): void {
    this.#socket.on('drain', listener);
  }

  end(): void {
    this.#close(1000);
  }

  abort(): void {
    this.#socket.destroy();
  }

  #close(code: number): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#socket.end(Buffer.concat([frameHead(opcode.close, 2), Buffer.from([code >> 8, code & 0xff])]));
  }

  #receive(chunk: Buffer): void {
    if (this.#ended) return;
    this.#received = Buffer.concat([this.#received, chunk]);
    for (let frame = readFrame(this.#received); frame !== undefined; frame = readFrame(this.#received)) {
      this.#received = this.#received.subarray(frame.size);
      if (frame.opcode === opcode.close) return this.#close(1000);
      if (frame.opcode === opcode.ping) this.#answerPing(frame.payload);
    }
    if (this.#received.length > maxClientBytes) this.#close(1009);
  }

  /** Answers a ping. Where the client does not read the pongs, nothing more is read from it. */
  #answerPing(payload: Buffer): void {
    if (!this.#socket.write(Buffer.concat([frameHead(opcode.pong, payload.length), payload]))) this.#socket.pause();
  }
}

interface ClientFrame {
  readonly opcode: number;
  readonly payload: Buffer;
  /** Size of the whole frame in bytes. */
  readonly size: number;
}

/** The first frame in the received bytes; undefined while it is incomplete. Frames from clients are masked. */
function readFrame(bytes: Buffer): ClientFrame | undefined {
  if (bytes.length < 2) return undefined;
  const short = (bytes[1] as number) & 0x7f;
  const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
  const isMasked = ((bytes[1] as number) & 0x80) !== 0;
  const start = 2 + lengthBytes + (isMasked ? 4 : 0);
  if (bytes.length < start) return undefined;
  const length =
    lengthBytes === 0 ? short : lengthBytes === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  if (bytes.length < start + length) return undefined;
  const payload = Buffer.from(bytes.subarray(start, start + length));
  if (isMasked)
    for (let at = 0; at < length; at++) payload[at] = (payload[at] as number) ^ (bytes[start - 4 + (at % 4)] as number);
  return { opcode: (bytes[0] as number) & 0x0f, payload, size: start + length };
}

/** Splits JSON events into lines; the line break is part of the message. */
function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, start)) {
    lines.push(bytes.subarray(start, end + 1));
    start = end + 1;
  }
  if (start < bytes.length) lines.push(bytes.subarray(start));
  return lines;
}

/** Splits protobuf events, each of which follows its length. */
function framesOf(bytes: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 0; at + 4 <= bytes.length;) {
    const end = at + 4 + bytes.readUInt32BE(at);
    frames.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return frames;
}

/** Splits CBOR events, which are self-delimiting. */
function itemsOf(bytes: Buffer): Buffer[] {
  const items: Buffer[] = [];
  const reader = new CborReader(bytes);
  while (reader.at < bytes.length) {
    const start = reader.at;
    reader.skip();
    items.push(bytes.subarray(start, reader.at));
  }
  return items;
}
