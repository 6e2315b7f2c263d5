import { Buffer } from 'node:buffer';
import type { OutgoingHeaders, ResponseStream } from '#shared/request/exchange.ts';
import { headerLines, hopFirstAnswerBytes, hopPieceBytes } from './hop-protocol.ts';
import type { HopWriter } from './hop-writer.ts';

/** The parts of a connection that the body of an answer uses. */
export interface HopStreamHost {
  readonly writer: HopWriter;
  /** Registers that the exchange waits for room on the connection. */
  waitForRoom(id: number): void;
}

/** Told that the whole body was sent, so that its end follows, and then that nothing is sent any more. */
export type HopStreamProgress = (moment: 'sent' | 'finished') => void;

/**
 * The body of an answer. Bytes are sent as far as the gateway has granted room for this exchange and the connection is
 * not congested; the rest waits here, in pieces.
 */
export class HopResponseStream implements ResponseStream {
  readonly #host: HopStreamHost;
  readonly #id: number;
  readonly #reached: HopStreamProgress;
  readonly #drainListeners: (() => void)[] = [];
  #waiting: Uint8Array[] = [];
  #first = 0;
  #waitingBytes = 0;
  #credit = hopFirstAnswerBytes;
  #ending: OutgoingHeaders | true | undefined;
  #closed = false;
  #needsDrain = false;

  constructor(host: HopStreamHost, id: number, reached: HopStreamProgress) {
    this.#host = host;
    this.#id = id;
    this.#reached = reached;
  }

  get bufferedBytes(): number {
    return this.#waitingBytes;
  }

  write(chunk: string | Uint8Array): boolean {
    if (this.#closed || this.#ending !== undefined || chunk.length === 0) return true;
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (this.#waitingBytes === 0 && bytes.length <= hopPieceBytes && this.#credit > 0 && !this.#host.writer.congested) {
      this.#credit -= bytes.length;
      this.#host.writer.data(this.#id, bytes);
      return true;
    }
    for (let at = 0; at < bytes.length; at += hopPieceBytes) {
      this.#waiting.push(bytes.length <= hopPieceBytes ? bytes : bytes.subarray(at, at + hopPieceBytes));
    }
    this.#waitingBytes += bytes.length;
    this.pump();
    if (this.#waitingBytes > 0) this.#needsDrain = true;
    return this.#waitingBytes === 0;
  }

  onDrain(listener: () => void): void {
    this.#drainListeners.push(listener);
  }

  end(trailers?: OutgoingHeaders): void {
    if (this.#closed || this.#ending !== undefined) return;
    this.#ending = trailers ?? true;
    this.pump();
  }

  abort(): void {
    if (this.#closed) return;
    this.#host.writer.reset(this.#id, false);
    this.#reached('finished');
  }

  grant(bytes: number): void {
    this.#credit += bytes;
    this.pump();
  }

  /** Drops the waiting bytes; nothing more is sent. */
  close(): void {
    this.#closed = true;
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  pump(): void {
    const { writer } = this.#host;
    while (this.#waitingBytes > 0 && !this.#closed) {
      if (this.#credit <= 0) return;
      if (writer.congested) return this.#host.waitForRoom(this.#id);
      const piece = this.#waiting[this.#first] as Uint8Array;
      this.#waiting[this.#first++] = none;
      this.#waitingBytes -= piece.length;
      this.#credit -= piece.length;
      writer.data(this.#id, piece);
    }
    if (this.#closed) return;
    this.#waiting = [];
    this.#first = 0;
    if (this.#ending !== undefined) return this.#finishBody(this.#ending);
    if (!this.#needsDrain) return;
    this.#needsDrain = false;
    for (const listener of this.#drainListeners) listener();
  }

  #finishBody(ending: OutgoingHeaders | true): void {
    this.#reached('sent');
    this.#host.writer.end(this.#id, ending === true ? '' : headerLines(ending));
    this.#reached('finished');
  }
}

const none = new Uint8Array(0);
