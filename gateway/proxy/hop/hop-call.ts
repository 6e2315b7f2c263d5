import type { Buffer } from 'node:buffer';
import { hopFirstAnswerBytes, hopWindowBytes } from '#shared/process/hop/hop-protocol.ts';
import type { HopWriter } from '#shared/process/hop/hop-writer.ts';
import type { OutgoingHeaders } from '#shared/request/exchange.ts';
import type { AnswerHandler, RelayedCall } from '#shared/request/relay/relay.ts';
import type { CopyRoom } from './copy-memory.ts';
import type { Holdable } from './read-memory.ts';
import type { ForwardedBody } from './request-body.ts';
import type { TransportError, ForwardRequest } from './transport.ts';

/** The parts of a connection that a call uses. */
export interface HopCallHost {
  readonly writer: HopWriter;
  /** Whether so much read memory is in use that calls must copy their bytes out of it, to free it. */
  readonly isCrowded: boolean;
  /** Allocates memory for the copies of one call. */
  copyRoom(): CopyRoom;
  forget(id: number): void;
}

/** One request on a shared connection, until its answer is complete or either side gives up. */
export class HopCall implements RelayedCall {
  readonly id: number;
  readonly #host: HopCallHost;
  readonly #request: ForwardRequest;
  #handler: AnswerHandler | undefined;
  #started = false;
  /** Bytes of the request's body that the backend accepts at present. */
  #credit = hopWindowBytes;
  #sending = false;
  /** Whether the body is sent only when the backend asks for it. */
  #waitsToBeAsked: boolean;
  /** Bytes of the answer that were consumed, but for which the backend has not been granted new window yet. */
  #ungranted = 0;
  /** Bytes of the answer that the backend may send ahead; grows with every grant. */
  #answerWindow = hopFirstAnswerBytes;
  #held = false;
  #copies: CopyRoom | undefined;

  constructor(host: HopCallHost, id: number, request: ForwardRequest, handler: AnswerHandler) {
    this.#host = host;
    this.id = id;
    this.#request = request;
    this.#waitsToBeAsked = request.body?.expectsContinue === true;
    this.#handler = handler;
  }

  get headBytes(): number {
    const { target, ownLines, sharedLines } = this.#request;
    return target.length + ownLines.length + sharedLines.length;
  }

  /** Whether the request was written, so that the backend may have received it. */
  get isStarted(): boolean {
    return this.#started;
  }

  /**
   * Sends the request, once the connection is open. The body is not read before, so that it is still complete if the
   * connection fails.
   */
  start(): void {
    if (this.#handler === undefined) return;
    const { method, target, ownLines, sharedLines, body } = this.#request;
    this.#started = true;
    this.#host.writer.request(this.id, body !== undefined, `${method} ${target}\n${ownLines}`, sharedLines);
    if (body !== undefined && !this.#waitsToBeAsked) this.#sendBody(body);
  }

  resume(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#grantRoom();
  }

  abort(): void {
    if (this.#handler === undefined) return;
    if (this.#started) this.#host.writer.reset(this.id, false);
    this.#request.body?.drop();
    this.#finish();
  }

  whole(status: number, headers: OutgoingHeaders, body: Buffer | undefined): void {
    this.#request.body?.drop();
    this.#finish()?.onWhole(status, headers, body);
  }

  head(status: number, headers: OutgoingHeaders): void {
    this.#request.body?.settle();
    this.#handler?.onHead(status, headers);
  }

  note(message: Uint8Array): void {
    if (this.#handler !== undefined) this.#request.takeNote?.(message);
  }

  /** `memory` holds the bytes if it is reused after release. */
  data(bytes: Buffer, memory?: Holdable): void {
    const handler = this.#handler;
    if (handler === undefined) return;
    this.#ungranted += bytes.length;
    if (!this.#pass(handler, bytes, memory)) this.#held = true;
    else if (!this.#held && this.#ungranted >= this.#answerWindow / 2) this.#grantRoom();
  }

  #pass(handler: AnswerHandler, bytes: Buffer, memory: Holdable | undefined): boolean {
    if (memory === undefined || !this.#host.isCrowded) return handler.onData(bytes, memory?.hold());
    let isTaken = true;
    // The handler may abort the call in between.
    for (let at = 0; at < bytes.length && this.#handler === handler;) {
      const room = this.#roomForCopy();
      const copy = room.copy(bytes.subarray(at));
      at += copy.length;
      isTaken = handler.onData(copy, room.hold());
    }
    return isTaken;
  }

  #roomForCopy(): CopyRoom {
    if (this.#copies?.isFull !== false) {
      this.#copies?.close();
      this.#copies = this.#host.copyRoom();
    }
    return this.#copies;
  }

  end(trailers: OutgoingHeaders | undefined): void {
    this.#request.body?.drop();
    this.#finish()?.onEnd(trailers);
  }

  fail(error: TransportError): void {
    // The handler decides whether the body is sent again or dropped.
    this.#request.body?.untake();
    this.#finish()?.onError(error);
  }

  grant(bytes: number): void {
    const { body } = this.#request;
    this.#credit += bytes;
    if (this.#waitsToBeAsked && body !== undefined) this.#sendBody(body);
    else if (this.#credit > 0 && this.#sending) body?.resume();
    body?.settle();
  }

  #grantRoom(): void {
    if (this.#ungranted === 0 || this.#handler === undefined) return;
    const growth = Math.min(this.#answerWindow, hopWindowBytes - this.#answerWindow);
    this.#answerWindow += growth;
    this.#host.writer.window(this.id, this.#ungranted + growth);
    this.#ungranted = 0;
  }

  #finish(): AnswerHandler | undefined {
    const handler = this.#handler;
    if (handler === undefined) return undefined;
    this.#handler = undefined;
    this.#copies?.close();
    this.#copies = undefined;
    this.#host.forget(this.id);
    return handler;
  }

  #sendBody(body: ForwardedBody): void {
    const { writer } = this.#host;
    this.#sending = true;
    this.#waitsToBeAsked = false;
    body.take({
      onData: (chunk) => {
        this.#credit -= chunk.length;
        writer.data(this.id, chunk);
        if (this.#credit <= 0) body.pause();
      },
      onEnd: () => {
        this.#sending = false;
        writer.end(this.id, '');
      },
    });
  }
}
