import type { Socket } from 'node:net';
import { flushLater, type GatheringWriter } from '#shared/apimachinery/slices/turn-writes.ts';

/** Up to this size, pieces are joined into one buffer: this is cheaper than a vectored write of many. */
const joinBytes = 128 * 1024;

/** Joins all writes of what is handled together, at most a turn of the event loop, into one write to the socket. */
export class CoalescingWriter implements GatheringWriter {
  readonly #socket: Socket;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #scheduled = false;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Bytes that wait in this writer and in the socket. */
  get queuedBytes(): number {
    return this.#bytes + this.#socket.writableLength;
  }

  write(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#scheduled) return;
    this.#scheduled = true;
    flushLater(this);
  }

  /** Writes at once, for a caller about to close. */
  flush(): void {
    this.#scheduled = false;
    const chunks = this.#chunks;
    const bytes = this.#bytes;
    if (chunks.length === 0) return;
    this.#chunks = [];
    this.#bytes = 0;
    if (this.#socket.destroyed) return;
    if (chunks.length === 1) {
      this.#socket.write(chunks[0] as Buffer);
    } else if (bytes <= joinBytes) {
      this.#socket.write(Buffer.concat(chunks, bytes));
    } else {
      this.#socket.cork();
      for (const chunk of chunks) this.#socket.write(chunk);
      this.#socket.uncork();
    }
  }
}
