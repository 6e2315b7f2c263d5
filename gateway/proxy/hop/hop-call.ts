import type { Buffer } from 'node:buffer';
import type { OutgoingHeaders } from '../../../shared/request/exchange.ts';
import { hopWindowBytes } from '../../../shared/server/hop/hop-protocol.ts';
import type { HopWriter } from '../../../shared/server/hop/hop-writer.ts';
import type { TransportError, AnswerHandler, ForwardedCall, ForwardRequest } from '../transport.ts';

/** What a call needs of its connection. */
export interface HopCallHost {
  readonly writer: HopWriter;
  forget(id: number): void;
}

/** One request on a shared connection, until its answer is complete or either side gives up. */
export class HopCall implements ForwardedCall {
  readonly id: number;
  readonly #host: HopCallHost;
  readonly #request: ForwardRequest;
  #handler: AnswerHandler | undefined;
  #started = false;
  /** Bytes of the request's body that the backend takes now. */
  #credit = hopWindowBytes;
  #detachBody: (() => void) | undefined;
  /** Bytes of the answer for which the backend has no new room yet. */
  #ungranted = 0;
  #held = false;

  constructor(host: HopCallHost, id: number, request: ForwardRequest, handler: AnswerHandler) {
    this.#host = host;
    this.id = id;
    this.#request = request;
    this.#handler = handler;
  }

  /** The connection is there. Not a byte of the body is taken before, so that a failed connection leaves the request whole. */
  start(): void {
    const { method, target, ownLines, sharedLines, body } = this.#request;
    this.#started = true;
    this.#host.writer.request(this.id, body !== undefined, `${method} ${target}\n${ownLines}`, sharedLines);
    if (body !== undefined) this.#sendBody(body);
  }

  resume(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#grantRoom();
  }

  abort(): void {
    if (this.#handler === undefined) return;
    if (this.#started) this.#host.writer.reset(this.id, false);
    this.#finish();
  }

  whole(status: number, headers: OutgoingHeaders, body: Buffer | undefined): void {
    this.#finish()?.onWhole(status, headers, body);
  }

  head(status: number, headers: OutgoingHeaders): void {
    this.#handler?.onHead(status, headers);
  }

  data(bytes: Buffer): void {
    const handler = this.#handler;
    if (handler === undefined) return;
    this.#ungranted += bytes.length;
    if (!handler.onData(bytes)) this.#held = true;
    else if (!this.#held && this.#ungranted >= hopWindowBytes / 2) this.#grantRoom();
  }

  end(trailers: OutgoingHeaders | undefined): void {
    this.#finish()?.onEnd(trailers);
  }

  fail(error: TransportError): void {
    this.#finish()?.onError(error);
  }

  grant(bytes: number): void {
    this.#credit += bytes;
    if (this.#credit > 0 && this.#detachBody !== undefined) this.#request.body?.resume();
  }

  #grantRoom(): void {
    if (this.#ungranted === 0 || this.#handler === undefined) return;
    this.#host.writer.window(this.id, this.#ungranted);
    this.#ungranted = 0;
  }

  #finish(): AnswerHandler | undefined {
    const handler = this.#handler;
    if (handler === undefined) return undefined;
    this.#handler = undefined;
    this.#host.forget(this.id);
    this.#detachBody?.();
    return handler;
  }

  #sendBody(body: NonNullable<ForwardRequest['body']>): void {
    const { writer } = this.#host;
    const onData = (chunk: Buffer): void => {
      this.#credit -= chunk.length;
      writer.data(this.id, chunk);
      if (this.#credit <= 0) body.pause();
    };
    const onEnd = (): void => {
      writer.end(this.id, '');
      detach();
    };
    const detach = (): void => {
      this.#detachBody = undefined;
      body.off('data', onData).off('end', onEnd);
      // The rest is read and dropped, or the client's connection would stall.
      if (!body.readableEnded) body.resume();
    };
    this.#detachBody = detach;
    body.on('data', onData).on('end', onEnd);
    if (body.readableEnded) onEnd();
  }
}
