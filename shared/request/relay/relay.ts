import type { Exchange, OutgoingHeaders, ResponseStream } from '#shared/request/exchange.ts';

/**
 * Receives the answer to a request that was sent on: either {@link onWhole}, or onHead, onData…, onEnd; or onError at
 * any point before the end.
 */
export interface AnswerHandler {
  /** An informational answer (1xx) before the answer itself, for handlers that pass it on. */
  onInformation?(status: number, headers: OutgoingHeaders): void;
  /** A short answer that arrived as a whole. */
  onWhole(status: number, headers: OutgoingHeaders, body: Uint8Array | undefined): void;
  onHead(status: number, headers: OutgoingHeaders): void;
  /**
   * Return false to make the transport stop reading until {@link RelayedCall.resume}. A handler that calls `written`
   * without an error allows the memory of the bytes to be reused; it need not call it.
   */
  onData(chunk: Uint8Array, written?: (error?: Error | null) => void): boolean;
  onEnd(trailers: OutgoingHeaders | undefined): void;
  onError(error: Error): void;
}

/** A request that was sent to a server. */
export interface RelayedCall {
  /** Continues to read the answer. */
  resume(): void;
  /** Cancels the request at the server. The handler is not called any more. */
  abort(): void;
}

/**
 * The way of one request to a server. Requests to backends, to registered servers and to the targets of proxy requests
 * differ in nothing else.
 */
export interface RelayRoute {
  /** Sends the request. Throws the error that answers the client if there is no server to send it to. */
  send(handler: AnswerHandler): RelayedCall;
  /** Called when the server has begun to answer. */
  onAnswer?(): void;
  /** Called when the server has answered to the end. */
  onEnd?(): void;
  /** Sends the request once more after an attempt without an answer; undefined if it must not, or cannot, be sent. */
  resend(error: Error, handler: AnswerHandler): RelayedCall | undefined;
  /** Answers the client after the last attempt, or returns the error that answers it. */
  refuse(error: Error): Error | undefined;
  /** The request is over: answered, failed, or left by its client. The rest of its body is not needed. */
  onOver?(): void;
}

/**
 * Sends a request on by the route and streams the answer back, with back-pressure. Either side that goes away ends the
 * other at once. Resolves when the answer has begun; rejects with the error that answers the client.
 */
export function relay(exchange: Exchange, route: RelayRoute): Promise<void> {
  return new Promise((resolve, reject) => {
    new Relay(exchange, route, resolve, reject).start();
  });
}

/** Further informational answers are dropped: they have no back-pressure, and a server may send any number. */
const mostInformed = 100;

class Relay implements AnswerHandler {
  readonly #exchange: Exchange;
  readonly #route: RelayRoute;
  readonly #answered: () => void;
  readonly #failed: (error: unknown) => void;
  #call: RelayedCall | undefined;
  #stream: ResponseStream | undefined;
  #over = false;
  #informed = 0;

  constructor(exchange: Exchange, route: RelayRoute, answered: () => void, failed: (error: unknown) => void) {
    this.#exchange = exchange;
    this.#route = route;
    this.#answered = answered;
    this.#failed = failed;
  }

  start(): void {
    this.#exchange.onClose(() => this.#abort());
    this.#call = this.#route.send(this);
  }

  onInformation(status: number, headers: OutgoingHeaders): void {
    if (!this.#over && ++this.#informed <= mostInformed) this.#exchange.inform(status, headers);
  }

  onWhole(status: number, headers: OutgoingHeaders, body: Uint8Array | undefined): void {
    if (this.#over) return;
    this.#route.onAnswer?.();
    this.#route.onEnd?.();
    this.#finish();
    if (!this.#exchange.responded) this.#exchange.send(status, headers, body);
    this.#answered();
  }

  onHead(status: number, headers: OutgoingHeaders): void {
    if (this.#over) return;
    // The request's deadline may have sent an answer already.
    if (this.#exchange.responded) return this.#abort();
    this.#route.onAnswer?.();
    const stream = this.#exchange.stream(status, headers);
    stream.onDrain(() => this.#call?.resume());
    this.#stream = stream;
    this.#answered();
  }

  onData(chunk: Uint8Array, written?: (error?: Error | null) => void): boolean {
    return this.#stream === undefined || this.#stream.write(chunk, written);
  }

  onEnd(trailers: OutgoingHeaders | undefined): void {
    if (this.#over) return;
    this.#route.onEnd?.();
    this.#finish();
    this.#stream?.end(trailers);
  }

  onError(error: Error): void {
    if (this.#over) return;
    if (this.#stream !== undefined) {
      this.#finish();
      this.#stream.abort();
      return;
    }
    this.#call = this.#exchange.responded ? undefined : this.#route.resend(error, this);
    if (this.#call !== undefined) return;
    const refusal = this.#route.refuse(error);
    this.#finish();
    if (refusal === undefined || this.#exchange.responded) this.#answered();
    else this.#failed(refusal);
  }

  /** The client is gone, or has an answer. */
  #abort(): void {
    if (this.#over) return;
    this.#call?.abort();
    this.#finish();
    this.#answered();
  }

  #finish(): void {
    this.#over = true;
    this.#call = undefined;
    this.#route.onOver?.();
  }
}
