import type { Socket } from 'node:net';
import { takeChunks } from '#shared/apimachinery/slices/take-chunks.ts';
import { frameId } from '#shared/frames/frame-head.ts';
import { FrameError, FrameParser, type FrameSink } from '#shared/frames/frame-parser.ts';
import { outsideSpans } from '#shared/spans/active-span.ts';
import { callFrameFlag } from './call-frames.ts';
import { CoalescingWriter } from './coalescing-writer.ts';
import type { FrameDial } from './frame-dial.ts';
import { EtcdRpcError, grpcCode } from './transport.ts';

/** Deadlines are checked at this interval: a timer for each call would cost more than the call. */
const sweepMs = 50;

export interface PendingCall {
  /** On the clock of `performance.now()`; `Infinity` for none. */
  deadline: number;
  /** Whether the last frame has the response; the last frame of a stream carries no message. */
  unary: boolean;
  onPayload(payload: Buffer): void;
  onEnd(error: EtcdRpcError | undefined): void;
}

/** One connection to the server, until it is lost, and the calls on it. */
export class FrameConnection implements FrameSink {
  readonly #calls = new Map<number, PendingCall>();
  readonly #onConnect: () => void;
  #socket: Socket | undefined;
  #writer: CoalescingWriter | undefined;
  #waiting: Buffer[] = [];
  #nextCallId = 1;
  #sweeper: NodeJS.Timeout | undefined;
  #lost = false;

  /** @param pauseMs how long to wait before connecting */
  constructor(dial: FrameDial, pauseMs: number, onConnect: () => void) {
    this.#onConnect = onConnect;
    // No part of the request whose call needs it first.
    outsideSpans(() => {
      if (pauseMs === 0) this.#connect(dial);
      else setTimeout(() => this.#connect(dial), pauseMs);
    });
  }

  /** True once the connection is gone; a lost one is never used again. */
  get lost(): boolean {
    return this.#lost;
  }

  open(call: PendingCall): number {
    const callId = this.#nextCallId;
    this.#nextCallId = callId === 0xffff_ffff ? 1 : callId + 1;
    this.#calls.set(callId, call);
    if (call.deadline !== Infinity) this.#sweeper ??= outsideSpans(() => setInterval(() => this.#sweep(), sweepMs));
    return callId;
  }

  write(frame: Buffer): void {
    if (this.#writer !== undefined) this.#writer.write(frame);
    else this.#waiting.push(frame);
  }

  forget(callId: number): void {
    this.#calls.delete(callId);
  }

  async close(): Promise<void> {
    if (this.#lost) return;
    const socket = this.#socket;
    this.#writer?.flush();
    this.#lose(new EtcdRpcError(grpcCode.cancelled, 'the transport is closed'));
    if (socket === undefined || socket.destroyed) return;
    await new Promise<void>((resolve) => {
      socket.once('close', () => resolve());
      socket.destroySoon();
    });
  }

  onFrame(callId: number, _method: number, flags: number, payload: Buffer): void {
    const call = this.#calls.get(callId);
    if (call === undefined) return;
    if ((flags & callFrameFlag.error) !== 0) {
      this.#calls.delete(callId);
      call.onEnd(new EtcdRpcError(payload[0] ?? grpcCode.unknown, payload.toString('utf8', 1)));
    } else if ((flags & callFrameFlag.end) !== 0) {
      this.#calls.delete(callId);
      if (call.unary) call.onPayload(payload);
      else call.onEnd(undefined);
    } else {
      call.onPayload(payload);
    }
  }

  #connect(dial: FrameDial): void {
    if (this.#lost) return;
    const parser = new FrameParser(this);
    let failure: Error | undefined;
    const socket = dial.connect(() => {
      this.#writer = new CoalescingWriter(socket);
      takeChunks(socket, (chunk) => {
        try {
          parser.push(chunk);
        } catch (error) {
          if (!(error instanceof FrameError)) throw error;
          socket.destroy(error);
        }
      });
      this.#sendWaiting(this.#writer);
      this.#onConnect();
    });
    this.#socket = socket;
    socket.on('error', (error) => {
      failure = error;
    });
    socket.on('close', () => {
      const sent = this.#writer !== undefined;
      const text = sent ? 'connection to the store was lost' : `cannot connect to the store at ${dial.where}`;
      this.#lose(
        new EtcdRpcError(grpcCode.unavailable, failure === undefined ? text : `${text}: ${failure.message}`, {
          cause: failure,
          notSent: !sent,
        }),
      );
    });
  }

  /** Sends waiting frames, except those of calls that have ended: their callers have got an error with `notSent`. */
  #sendWaiting(writer: CoalescingWriter): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const frame of waiting) if (this.#calls.has(frameId(frame))) writer.write(frame);
  }

  #lose(error: EtcdRpcError): void {
    if (this.#lost) return;
    this.#lost = true;
    clearInterval(this.#sweeper);
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    for (const call of calls) call.onEnd(error);
  }

  #sweep(): void {
    const now = performance.now();
    let timed = false;
    for (const [callId, call] of this.#calls) {
      if (call.deadline === Infinity) continue;
      timed = true;
      if (call.deadline > now) continue;
      this.#calls.delete(callId);
      call.onEnd(
        new EtcdRpcError(grpcCode.deadlineExceeded, 'etcdserver: context deadline exceeded', {
          notSent: this.#writer === undefined,
        }),
      );
    }
    if (timed) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }
}
