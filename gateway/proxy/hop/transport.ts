import type { AnswerHandler, RelayedCall } from '#shared/request/relay/relay.ts';
import type { ForwardedBody } from './request-body.ts';

/** A request in the form that is sent to a backend. */
export interface ForwardRequest {
  readonly method: string;
  /** Path and query, as the client sent them. */
  readonly target: string;
  /** Header lines that differ in every request, in Latin-1; each ends with a carriage return and a line feed. */
  readonly ownLines: string;
  /** The other header lines, which are probably the same in the client's next request. */
  readonly sharedLines: string;
  /** Undefined if the request has no body. */
  readonly body: ForwardedBody | undefined;
  /** Takes a message for the audit events, whose bytes are reused afterwards; absent for requests without any. */
  takeNote?(message: Uint8Array): void;
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

/** The hop to one backend process. */
export interface Transport {
  /**
   * The handler owns the body again when an attempt has failed with a {@link TransportError}: it sends it once more or
   * drops it.
   */
  forward(request: ForwardRequest, handler: AnswerHandler): RelayedCall;
  close(): void;
}
