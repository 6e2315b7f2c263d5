import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { writingTogether } from '#shared/apimachinery/slices/turn-writes.ts';
import { FrameError, FrameParser, type FrameSink } from '#shared/frames/frame-parser.ts';
import {
  eachRepetition,
  hopFrame,
  hopUpgrade,
  maxHopFrameBytes,
  readHeaderLines,
} from '#shared/process/hop/hop-protocol.ts';
import { HopWriter } from '#shared/process/hop/hop-writer.ts';
import type { Dial } from '#shared/process/link/dial.ts';
import type { AnswerHandler, RelayedCall } from '#shared/request/relay/relay.ts';
import { CopyMemory, type CopyRoom } from './copy-memory.ts';
import { HopCall } from './hop-call.ts';
import type { HopCallHost } from './hop-call.ts';
import { ReadMemory, type Holdable } from './read-memory.ts';
import { TransportError } from './transport.ts';
import type { ForwardRequest } from './transport.ts';

const upgradeRequest = `GET /.quarterdeck/hop HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: ${hopUpgrade}\r\n\r\n`;
const headEnd = Buffer.from('\r\n\r\n');
const maxHeadBytes = 16 * 1024;
const lastId = 0xffff_ffff;
/** Payloads up to this length are copied: that costs less than tracking their release. */
const shortPayload = 4 * 1024;
/** Request heads up to this length are sent at once, even if the connection is congested. */
const shortHeadBytes = 16 * 1024;

/** Bytes of a body, and the memory that is held while they are needed. */
interface BodyPart {
  readonly bytes: Buffer;
  readonly memory: Holdable | undefined;
  readonly release: () => void;
}

/**
 * One connection to a backend and the calls on it. States: opening (calls wait; nothing was sent) → open → lost. A lost
 * connection is never reused.
 */
export class HopConnection implements FrameSink, HopCallHost {
  readonly writer: HopWriter;
  readonly #socket: Socket;
  readonly #parser = new FrameParser(this, maxHopFrameBytes, hopFrame.data);
  readonly #handle = (bytes: Buffer): void => this.#parser.push(bytes);
  readonly #repeat = (id: number): void => {
    const call = this.#calls.get(id);
    if (call !== undefined) for (const { bytes, memory } of this.#lastData) call.data(bytes, memory);
  };
  readonly #calls = new Map<number, HopCall>();
  /** Calls with long heads, waiting until the connection is no longer congested. Calls with short heads do not wait. */
  readonly #waiting: HopCall[] = [];
  #nextId = 1;
  #open = false;
  #lost = false;
  #head: Buffer | undefined = Buffer.alloc(0);
  /** The content of the last `data` frame, in the parts in which it arrived. */
  #lastData: BodyPart[] = [];
  readonly #memory = new ReadMemory();
  readonly #copies = new CopyMemory();

  /**
   * The socket may still be connecting. Bytes that it does not read into the offered memory arrive as `data` events.
   */
  constructor(dial: Dial) {
    this.#socket = dial({
      buffer: () => this.#memory.room(),
      callback: (bytes, room) => {
        this.#memory.filled(bytes);
        this.#receive((room as Buffer).subarray(0, bytes));
        return true;
      },
    });
    this.writer = new HopWriter(this.#socket, () => this.#startWaiting());
    this.#socket.write(upgradeRequest);
    this.#socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#socket.on('end', () => this.fail('the backend closed the connection'));
    this.#socket.on('error', (error) => this.fail(error.message));
    this.#socket.on('close', () => this.fail('the connection was closed'));
  }

  get lost(): boolean {
    return this.#lost;
  }

  get isCrowded(): boolean {
    return this.#memory.isCrowded;
  }

  copyRoom(): CopyRoom {
    return this.#copies.room();
  }

  forward(request: ForwardRequest, handler: AnswerHandler): RelayedCall {
    const call = new HopCall(this, this.#nextId, request, handler);
    // Stream numbers are not reused: after four billion requests a new connection is opened.
    if (this.#nextId === lastId) this.#lost = true;
    this.#nextId++;
    this.#calls.set(call.id, call);
    if (this.#open) this.#start(call);
    return call;
  }

  close(): void {
    this.#socket.destroy();
  }

  #start(call: HopCall): void {
    const mustWait = this.#waiting.length > 0 || this.writer.congested;
    if (mustWait && call.headBytes > shortHeadBytes) this.#waiting.push(call);
    else call.start();
  }

  #startWaiting(): void {
    while (this.#waiting.length > 0 && !this.writer.congested) this.#waiting.shift()?.start();
  }

  forget(id: number): void {
    this.#calls.delete(id);
    if (this.#lost && this.#calls.size === 0) this.#socket.destroy();
  }

  onFrame(id: number, type: number, _flags: number, payload: Buffer): void {
    if (type === hopFrame.data) return this.onPart(id, type, payload, true);
    if (type === hopFrame.same) return eachRepetition(id, payload, this.#repeat);
    const call = this.#calls.get(id);
    if (call === undefined) return;
    switch (type) {
      case hopFrame.head:
        return call.head(payload.readUInt16BE(0), readHeaderLines(payload.toString('latin1', 2, payload.length)));
      case hopFrame.end:
        return call.end(
          payload.length === 0 ? undefined : readHeaderLines(payload.toString('latin1', 0, payload.length)),
        );
      case hopFrame.note:
        return call.note(payload);
      case hopFrame.window:
        return call.grant(payload.readUInt32BE(0));
      case hopFrame.reset:
        return call.fail(new TransportError('the backend broke the exchange off', payload[0] !== 1));
      case hopFrame.whole: {
        const linesEnd = 6 + payload.readUInt32BE(2);
        const headers = readHeaderLines(payload.toString('latin1', 6, linesEnd));
        return call.whole(
          payload.readUInt16BE(0),
          headers,
          linesEnd < payload.length ? this.#kept(payload.subarray(linesEnd)) : undefined,
        );
      }
      default:
        throw new FrameError(`an unknown frame: ${type}`);
    }
  }

  onPart(id: number, _type: number, part: Buffer, isFirst: boolean): void {
    if (isFirst) this.#forgetData();
    if (part.length === 0) return;
    const isCopied = part.length <= shortPayload;
    const bytes = isCopied ? Buffer.from(part) : part;
    const memory = isCopied ? undefined : this.#memory.last;
    this.#lastData.push({ bytes, memory, release: memory?.hold() ?? nothing });
    this.#calls.get(id)?.data(bytes, memory);
  }

  #forgetData(): void {
    for (const { release } of this.#lastData) release();
    this.#lastData = [];
  }

  /**
   * Bytes for a user that does not release them: short ones are copied, others stay until they are garbage-collected.
   */
  #kept(bytes: Buffer): Buffer {
    if (bytes.length <= shortPayload || this.#memory.isCrowded) return Buffer.from(bytes);
    this.#memory.keep();
    return bytes;
  }

  #receive(chunk: Buffer): void {
    const bytes = this.#head === undefined ? chunk : this.#upgraded(this.#head, chunk);
    if (bytes === undefined) return this.#memory.keep();
    try {
      // A backend writes the answers of one turn at once, so that all of them are in these bytes.
      writingTogether(this.#handle, bytes);
      if (this.#parser.waits) this.#memory.keep();
    } catch (error) {
      this.fail(error instanceof Error ? error.message : String(error));
      if (!(error instanceof FrameError)) process.emitWarning(error instanceof Error ? error : String(error));
    }
  }

  /**
   * Reads the answer to the upgrade request; returns the bytes behind it, or undefined if it is incomplete or refused.
   */
  #upgraded(before: Buffer, chunk: Buffer): Buffer | undefined {
    const head = before.length === 0 ? chunk : Buffer.concat([before, chunk]);
    const end = head.indexOf(headEnd);
    if (end < 0) {
      if (head.length > maxHeadBytes) this.fail('the backend does not answer the upgrade');
      this.#head = head;
      return undefined;
    }
    if (head.toString('latin1', 0, 13) !== 'HTTP/1.1 101 ') {
      this.fail(`the backend refused the upgrade: ${head.toString('latin1', 0, 40)}`);
      return undefined;
    }
    this.#head = undefined;
    this.#open = true;
    for (const call of this.#calls.values()) this.#start(call);
    return head.subarray(end + headEnd.length);
  }

  /** Closes the connection and fails all its calls with `reason`. */
  fail(reason: string): void {
    this.#lost = true;
    this.#socket.destroy();
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    for (const call of calls) call.fail(new TransportError(reason, call.isStarted));
  }
}

function nothing(): void {
  // The bytes are a copy, so there is nothing to release.
}
