import type { OutgoingHeaders } from '#shared/request/exchange.ts';
import type { ForwardedBody } from './request-body.ts';

/** A request in the form that is sent to a backend. */
export interface ForwardRequest {
  readonly method: string;
  /** Path and query, as the client sent them. */
  readonly target: string;
  /**
   * Formatted header lines, `name: value\r
   * ` each, in Latin-1: those that differ in every request.
   */
  readonly ownLines: string;
  /** The other header lines, which are probably the same in the client's next request. */
  readonly sharedLines: string;
  /** Undefined if the request has no body. */
  readonly body: ForwardedBody | undefined;
}

/**
 * `sent` says whether the backend may have received the request; such a request is not sent again unless it is a read.
 */
export class TransportError extends Error {
  readonly sent: boolean;
  constructor(message: string, sent: boolean) {
    super(message);
    this.name = 'TransportError';
    this.sent = sent;
  }
}

/**
 * Receives the answer: either {@link onWhole}, or onHead, onData…, onEnd; or onError at any point before the end. After
 * onError the handler owns the request's body again and may send it once more or drop it.
 */
export interface AnswerHandler {
  /** A short answer that arrived as a whole. */
  onWhole(status: number, headers: OutgoingHeaders, body: Uint8Array | undefined): void;
  onHead(status: number, headers: OutgoingHeaders): void;
  /**
   * Return false to make the transport stop reading until {@link ForwardedCall.resume}. A handler that calls `written`
   * without an error allows the memory of the bytes to be reused; it need not call it.
   */
  onData(chunk: Uint8Array, written?: (error?: Error | null) => void): boolean;
  onEnd(trailers: OutgoingHeaders | undefined): void;
  onError(error: TransportError): void;
}

export interface ForwardedCall {
  resume(): void;
  /** Cancels the request at the backend, when the client is gone. The handler is not called any more. */
  abort(): void;
}

/** The hop to one backend process. */
export interface Transport {
  forward(request: ForwardRequest, handler: AnswerHandler): ForwardedCall;
  close(): void;
}
