import { Buffer } from 'node:buffer';
import type { RequestOptions } from 'node:https';
import type { OnReadOpts, Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { FlushSchedule } from './flush-schedule.ts';
import { gatherWrites } from './gather-writes.ts';
import { blockBytes, ReadBlock } from './read-blocks.ts';

/**
 * After {@link dialogueReads} reads in a row below this size, a connection counts as a dialogue: it holds no block
 * while it waits, and the bytes that it receives are copied.
 */
const smallBytes = 4096;
const dialogueReads = 4;
/** With so many bytes unsent, the connection that they come from is not read. */
const maxPendingBytes = 128 * 1024;

/** What connections read to that hold no block. The bytes are copied before the next read of any connection. */
const shared = Buffer.allocUnsafeSlow(blockBytes);

/**
 * Passes the bytes of one connection on to another without a buffer, a chunk and an event for each read: they are read
 * to blocks that are used again, and written from there. Until {@link passOn} is called, the connection is read as
 * usual, for instance by the HTTP parser that reads the answer to an upgrade request, or by a translation to another
 * protocol, which never calls it.
 */
export class DirectReads {
  /** The option of the same name of `connect` of node:net and node:tls, for the connection that is read. */
  readonly onread: OnReadOpts = {
    buffer: () => this.#room(),
    callback: (length, bytes) => this.#take(length, bytes),
  };
  /** The same for requests of node:http and node:https, whose types do not declare it. */
  readonly requestOptions = { onread: this.onread } as RequestOptions;
  #from: Socket | undefined;
  #to: Writable | undefined;
  #block: ReadBlock | undefined;
  /** Bytes of the block from here to {@link #end} are read and not yet written. */
  #begin = 0;
  #end = 0;
  /** Small reads in a row. A connection begins as a dialogue. */
  #smallReads = dialogueReads;
  #isPaused = false;
  #isUsed = false;
  readonly #schedule = new FlushSchedule(() => this.#flush());

  /** The connection that `onread` was given to. It must be set before anything is received. */
  set connection(connection: Socket) {
    this.#from = connection;
  }

  /** False if the kind of the connection does not support `onread`. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  /** From now on, what the connection receives is written to `to`, with back-pressure; its end ends `to`. */
  passOn(to: Writable): void {
    const from = this.#from;
    if (from === undefined) throw new TypeError('the connection is not set');
    for (let left = from.read() as Buffer | null; left !== null; left = from.read() as Buffer | null) to.write(left);
    this.#to = to;
    from.on('end', () => {
      this.#flush();
      if (to.writable) to.end();
    });
    from.on('close', () => {
      this.#flush();
      this.#leaveBlock();
    });
    from.resume();
  }

  /** Where the next read goes to. */
  #room(): Uint8Array {
    if (this.#block === undefined) return shared;
    if (this.#end < blockBytes) return this.#block.bytes.subarray(this.#end);
    this.#leaveBlock();
    this.#block = new ReadBlock();
    return this.#block.bytes;
  }

  /** Returns whether to read on. */
  #take(length: number, bytes: Uint8Array): boolean {
    this.#isUsed = true;
    if (this.#to === undefined) return this.#from?.push(Buffer.from(bytes.subarray(0, length))) ?? false;
    if (!this.#to.writable) return true;
    this.#smallReads = length < smallBytes ? this.#smallReads + 1 : 0;
    if (this.#smallReads >= dialogueReads && this.#begin === this.#end) {
      this.#leaveBlock();
      gatherWrites(this.#to);
      this.#write(this.#to, Buffer.from(bytes.subarray(0, length)));
      return !this.#isPaused;
    }
    if (this.#block === undefined) {
      this.#block = new ReadBlock();
      this.#block.bytes.set(bytes.subarray(0, length));
    }
    this.#end += length;
    if (this.#end === blockBytes) this.#flush();
    else this.#schedule.add(this.#end - this.#begin);
    return !this.#isPaused;
  }

  #flush(): void {
    const [block, to] = [this.#block, this.#to];
    if (block === undefined || to?.writable !== true || this.#begin === this.#end) return;
    const part = block.bytes.subarray(this.#begin, this.#end);
    this.#begin = this.#end;
    block.use();
    this.#write(to, part, block);
  }

  #write(to: Writable, part: Uint8Array, block?: ReadBlock): void {
    to.write(part, () => {
      block?.release();
      if (!this.#isPaused || to.writableLength >= maxPendingBytes) return;
      this.#isPaused = false;
      this.#from?.resume();
    });
    // Only a finished write takes the pause back, for it also resumes the connection.
    if (to.writableLength >= maxPendingBytes) this.#isPaused = true;
  }

  #leaveBlock(): void {
    this.#block?.release();
    this.#block = undefined;
    this.#begin = this.#end = 0;
  }
}
