import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { flushLater, type GatheringWriter } from '#shared/apimachinery/slices/turn-writes.ts';
import { frameHeadBytes } from '#shared/frames/frame-head.ts';
import { hopFrame } from './hop-protocol.ts';

const arenaBytes = 64 * 1024;
/** Pieces of at least this size are written as they are instead of being copied. */
const copyBelowBytes = 16 * 1024;
/** Gathered frames of more than this size are written in the same turn. */
const flushBytes = 256 * 1024;
/** Bodies are held back while more than this waits, since all other frames would have to wait behind them. */
const congestedBytes = 512 * 1024;

/**
 * Writes frames; those of what is handled together, at most a turn of the event loop, are written together
 * (`flushLater`). Strings are written as Latin-1.
 */
export class HopWriter implements GatheringWriter {
  readonly #socket: Socket;
  readonly #onRoom: () => void;
  #arena = Buffer.allocUnsafeSlow(arenaBytes);
  /** Bounds of the gathered bytes in the arena. */
  #start = 0;
  #end = 0;
  /** Gathered parts that are sent before the bytes in the arena. */
  #parts: Uint8Array[] = [];
  #bytes = 0;
  #scheduled = false;
  #lastData: Uint8Array | undefined;
  #refused = false;
  /** Where the last `same` frame begins in the arena, while it can still name more streams; -1 without one. */
  #repeatedAt = -1;
  #repeatedBytes = 0;

  /** `onRoom` is called when {@link congested} was true and no longer is. */
  constructor(socket: Socket, onRoom: () => void) {
    this.#socket = socket;
    this.#onRoom = onRoom;
    socket.on('drain', () => this.#notifyDrained());
  }

  /** Whether so much waits for the other side to read that bodies should not add to it. */
  get congested(): boolean {
    return (this.#refused ||= this.#isFull());
  }

  request(stream: number, withBody: boolean, own: string, shared: string): void {
    const at = this.#open(stream, hopFrame.request, 5 + own.length + shared.length);
    this.#arena[at] = withBody ? 1 : 0;
    this.#arena.writeUInt32BE(own.length, at + 1);
    this.#arena.write(own, at + 5, 'latin1');
    this.#arena.write(shared, at + 5 + own.length, 'latin1');
  }

  /** Sends bytes of a stream. The bytes must not change afterwards. */
  data(stream: number, bytes: Uint8Array): void {
    if (bytes === this.#lastData) return this.#again(stream);
    this.#lastData = bytes;
    const at = this.#open(stream, hopFrame.data, bytes.length, bytes.length >= copyBelowBytes ? bytes : undefined);
    if (bytes.length < copyBelowBytes) this.#arena.set(bytes, at);
  }

  /** Sends the last data on another stream: a run of such streams is one frame. */
  #again(stream: number): void {
    const at = this.#repeatedAt;
    const end = this.#end;
    if (at < 0 || at + frameHeadBytes + this.#repeatedBytes !== end || end + 4 > this.#arena.length) {
      this.#repeatedAt = this.#open(stream, hopFrame.same, 0) - frameHeadBytes;
      this.#repeatedBytes = 0;
      return;
    }
    this.#arena.writeUInt32BE(stream, end);
    this.#repeatedBytes += 4;
    this.#arena.writeUInt32BE(this.#repeatedBytes, at);
    this.#end = end + 4;
    this.#bytes += 4;
  }

  end(stream: number, trailers: string): void {
    const at = this.#open(stream, hopFrame.end, trailers.length);
    if (trailers !== '') this.#arena.write(trailers, at, 'latin1');
  }

  reset(stream: number, neverBegun: boolean): void {
    const at = this.#open(stream, hopFrame.reset, 1);
    this.#arena[at] = neverBegun ? 1 : 0;
  }

  note(stream: number, message: Uint8Array): void {
    const at = this.#open(stream, hopFrame.note, message.length);
    this.#arena.set(message, at);
  }

  window(stream: number, bytes: number): void {
    const at = this.#open(stream, hopFrame.window, 4);
    this.#arena.writeUInt32BE(bytes, at);
  }

  head(stream: number, status: number, lines: string): void {
    const at = this.#open(stream, hopFrame.head, 2 + lines.length);
    this.#arena.writeUInt16BE(status, at);
    this.#arena.write(lines, at + 2, 'latin1');
  }

  whole(stream: number, status: number, lines: string, body: readonly Uint8Array[], bodyBytes: number): void {
    let at = this.#open(stream, hopFrame.whole, 6 + lines.length + bodyBytes);
    this.#arena.writeUInt16BE(status, at);
    this.#arena.writeUInt32BE(lines.length, at + 2);
    at += 6;
    this.#arena.write(lines, at, 'latin1');
    at += lines.length;
    for (const chunk of body) {
      this.#arena.set(chunk, at);
      at += chunk.length;
    }
  }

  /** Writes the gathered frames; also for a caller that is about to close the connection. */
  flush(): void {
    this.#scheduled = false;
    this.#seal();
    const parts = this.#parts;
    if (parts.length === 0) return;
    this.#parts = [];
    this.#bytes = 0;
    const socket = this.#socket;
    if (socket.destroyed) return;
    if (parts.length === 1) socket.write(parts[0] as Uint8Array);
    else {
      socket.cork();
      for (const part of parts) socket.write(part);
      socket.uncork();
    }
    // If everything was passed to the kernel, the arena can be reused from its beginning; otherwise the socket still
    // needs the bytes before this point.
    if (socket.writableLength === 0) this.#start = this.#end = 0;
    this.#notifyDrained();
  }

  #isFull(): boolean {
    return this.#socket.writableLength + this.#bytes > congestedBytes;
  }

  #notifyDrained(): void {
    if (!this.#refused || this.#isFull()) return;
    this.#refused = false;
    this.#onRoom();
  }

  /** Makes room for a frame and writes its head; returns where the payload goes, unless the payload is `outside`. */
  #open(stream: number, type: number, payloadBytes: number, outside?: Uint8Array): number {
    const inside = frameHeadBytes + (outside === undefined ? payloadBytes : 0);
    if (this.#end + inside > this.#arena.length) {
      this.#seal();
      this.#renew(Math.max(arenaBytes, inside));
    }
    const at = this.#end;
    const arena = this.#arena;
    arena.writeUInt32BE(payloadBytes, at);
    arena.writeUInt32BE(stream, at + 4);
    arena[at + 8] = type;
    arena[at + 9] = 0;
    this.#end = at + inside;
    this.#bytes += frameHeadBytes + payloadBytes;
    if (outside !== undefined) {
      this.#seal();
      this.#parts.push(outside);
    }
    if (!this.#scheduled) {
      this.#scheduled = true;
      flushLater(this);
    } else if (this.#bytes > flushBytes)
      queueMicrotask(() => {
        if (this.#bytes > flushBytes) this.flush();
      });
    return at + frameHeadBytes;
  }

  #seal(): void {
    if (this.#end > this.#start) this.#parts.push(this.#arena.subarray(this.#start, this.#end));
    this.#start = this.#end;
    this.#repeatedAt = -1;
  }

  #renew(bytes: number): void {
    this.#arena = Buffer.allocUnsafeSlow(bytes);
    this.#start = this.#end = 0;
  }
}
