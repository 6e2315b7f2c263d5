import { Buffer } from 'node:buffer';
import type { RequestOptions } from 'node:https';
import type { OnReadOpts, Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { FlushSchedule } from './flush-schedule.ts';
import { blockBytes, ReadBlock } from './read-blocks.ts';
import { ReadPace } from './read-pace.ts';

/**
 * After {@link smallInRow} reads in a row below this size, a connection holds no block while it waits: its bytes are
 * copied to one that it leaves when all is written, and a stream of them is read at a {@link ReadPace}.
 */
const smallBytes = 8192;
const smallInRow = 4;
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
  /** Reads below {@link smallBytes} in a row. A connection begins as one that has them. */
  #smallReads = smallInRow;
  /** Too much is unsent. */
  #isPaused = false;
  /** Its pace has it wait. */
  #isHeld = false;
  #isUsed = false;
  readonly #schedule = new FlushSchedule(() => this.#flush());
  readonly #pace = new ReadPace();
  /** Bytes of small reads of this turn of the event loop. */
  #inTurn = 0;

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

  /** Says that the other side has sent something, so that what comes now may be an answer. */
  expectAnswer(): void {
    this.#pace.reset();
  }

  /** Where the next read goes to. */
  #room(): Uint8Array {
    if (this.#block === undefined || this.#hasSmallReads) return shared;
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
    if (bytes.buffer === shared.buffer) this.#copyToBlock(bytes, length);
    this.#end += length;
    if (this.#hasSmallReads) this.#sendInTurn(length);
    else if (this.#end === blockBytes) this.#flush();
    else this.#schedule.add(this.#end - this.#begin);
    return !this.#isPaused;
  }

  #copyToBlock(bytes: Uint8Array, length: number): void {
    if (this.#end + length > blockBytes) {
      this.#flush();
      this.#leaveBlock();
    }
    this.#block ??= new ReadBlock();
    this.#block.bytes.set(bytes.subarray(0, length), this.#end);
  }

  get #hasSmallReads(): boolean {
    return this.#smallReads >= smallInRow;
  }

  #sendInTurn(length: number): void {
    if (this.#inTurn === 0) setImmediate(this.#sendAtPace);
    this.#inTurn += length;
  }

  readonly #sendAtPace = (): void => {
    this.#flush();
    const pauseMs = this.#pace.pauseAfter(this.#inTurn);
    this.#inTurn = 0;
    if (pauseMs === 0 || this.#isPaused || this.#isHeld) return;
    this.#isHeld = true;
    this.#from?.pause();
    setTimeout(() => {
      this.#isHeld = false;
      if (!this.#isPaused) this.#from?.resume();
    }, pauseMs);
  };

  #flush(): void {
    const [block, to] = [this.#block, this.#to];
    if (block === undefined || to?.writable !== true || this.#begin === this.#end) return;
    const part = block.bytes.subarray(this.#begin, this.#end);
    this.#begin = this.#end;
    block.use();
    to.write(part, () => {
      block.release();
      // A connection with other reads may be about to be read to the block.
      if (this.#hasSmallReads && this.#begin === this.#end && to.writableLength === 0) this.#leaveBlock();
      if (!this.#isPaused || to.writableLength >= maxPendingBytes) return;
      this.#isPaused = false;
      if (!this.#isHeld) this.#from?.resume();
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
