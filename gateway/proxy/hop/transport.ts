import type { OutgoingHeaders } from '../../../shared/request/exchange.ts';
import type { ForwardedBody } from './request-body.ts';

/** A request as it goes to a backend. */
export interface ForwardRequest {
  readonly method: string;
  /** Path and query, as the client sent them. */
  readonly target: string;
  /** Ready lines, `name: value\r\n` each, in Latin-1 form: those that differ from request to request. */
  readonly ownLines: string;
  /** The others: likely to be the same when the same client asks again. */
  readonly sharedLines: string;
  /** Undefined: no body. */
  readonly body: ForwardedBody | undefined;
}

/** `sent` says whether the backend may have seen the request: what may have been received is not sent twice. */
export class TransportError extends Error {
  readonly sent: boolean;
  constructor(message: string, sent: boolean) {
    super(message);
    this.name = 'TransportError';
    this.sent = sent;
  }
}

/**
 * Takes the answer: either {@link onWhole}, or onHead, onData…, onEnd; or onError at any point before the end. At
 * onError the request's body is the handler's again: to be sent once more, or dropped.
 */
export interface AnswerHandler {
  /** A short answer that came in one piece. */
  onWhole(status: number, headers: OutgoingHeaders, body: Uint8Array | undefined): void;
  onHead(status: number, headers: OutgoingHeaders): void;
  /**
   * False when the client is slower: the transport stops reading until {@link ForwardedCall.resume}. With `written`,
   * the memory of the bytes is used again after it was called without an error; it need not be called.
   */
  onData(chunk: Uint8Array, written?: (error?: Error | null) => void): boolean;
  onEnd(trailers: OutgoingHeaders | undefined): void;
  onError(error: TransportError): void;
}

export interface ForwardedCall {
  resume(): void;
  /** The client is gone: the backend learns of it at once. No more calls to the handler. */
  abort(): void;
}

/** The hop to one backend process. */
export interface Transport {
  forward(request: ForwardRequest, handler: AnswerHandler): ForwardedCall;
  close(): void;
}
