import { newServiceUnavailable, type StatusError } from '#shared/apimachinery/errors/status.ts';
import { asksForUpgrade } from '#shared/request/ask-for-upgrade.ts';
import type { OutgoingHeaders, ResponseStream } from '#shared/request/exchange.ts';
import { announcedLength } from '#shared/request/header-values.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import type { BackendPool } from './backend-pool.ts';
import type { Backend } from './backend.ts';
import { forwardProxied, isProxied } from './forward-proxied.ts';
import { forwardUpgrade } from './forward-upgrade.ts';
import { ownHeaderLines, sharedHeaderLines } from './forwarded-headers.ts';
import { ForwardedBody } from './hop/request-body.ts';
import type { AnswerHandler, ForwardedCall, ForwardRequest, TransportError } from './hop/transport.ts';
import { backendAway, pickOrRefuse } from './pick-backend.ts';

/**
 * Forwards a request to a backend of the pool and streams the answer back. Resolves when the answer has begun; rejects
 * with a 503 StatusError when no backend answered (with Retry-After only if the request cannot have changed anything).
 */
export function forward(context: RequestContext, pool: BackendPool): Promise<void> {
  if (asksForUpgrade(context.exchange)) return forwardUpgrade(context, pickOrRefuse(pool, undefined));
  if (isProxied(context)) return forwardProxied(context, pool);
  return new Promise((resolve, reject) => {
    new Forwarding(context, pool, resolve, reject).start();
  });
}

/** One request that is being forwarded, in one attempt or several. */
class Forwarding implements AnswerHandler {
  readonly #context: RequestContext;
  readonly #pool: BackendPool;
  readonly #answered: () => void;
  readonly #failed: (error: unknown) => void;
  readonly #request: ForwardRequest;
  #tried: Set<Backend> | undefined;
  /** Whether a read may be sent again. It is repeated only once, as it may be what crashes the backends. */
  #mayRepeat = true;
  #backend: Backend | undefined;
  #call: ForwardedCall | undefined;
  #stream: ResponseStream | undefined;
  #over = false;

  constructor(context: RequestContext, pool: BackendPool, answered: () => void, failed: (error: unknown) => void) {
    this.#context = context;
    this.#pool = pool;
    this.#answered = answered;
    this.#failed = failed;
    this.#request = new ClientRequest(context);
    context.exchange.onClose(() => this.#clientClosed());
  }

  start(): void {
    const backend = pickOrRefuse(this.#pool, this.#tried);
    this.#backend = backend;
    backend.outstanding++;
    this.#call = backend.transport.forward(this.#request, this);
  }

  onWhole(status: number, headers: OutgoingHeaders, body: Uint8Array | undefined): void {
    this.#backend?.noteAnswer();
    this.#finish();
    if (!this.#context.exchange.responded) this.#context.exchange.send(status, headers, body);
    this.#answered();
  }

  onHead(status: number, headers: OutgoingHeaders): void {
    // The request's deadline may have sent an answer already.
    if (this.#context.exchange.responded) {
      this.#call?.abort();
      this.#finish();
      this.#answered();
      return;
    }
    this.#backend?.noteAnswer();
    const stream = this.#context.exchange.stream(status, headers);
    stream.onDrain(() => this.#call?.resume());
    this.#stream = stream;
    this.#answered();
  }

  onData(chunk: Uint8Array, written?: (error?: Error | null) => void): boolean {
    return this.#stream === undefined || this.#stream.write(chunk, written);
  }

  onEnd(trailers: OutgoingHeaders | undefined): void {
    this.#finish();
    if (trailers === undefined) this.#stream?.end();
    else this.#stream?.end(trailers);
  }

  onError(error: TransportError): void {
    if (this.#over) return;
    if (this.#stream !== undefined) {
      this.#request.body?.drop();
      this.#finish();
      this.#stream.abort();
      return;
    }
    const untouched = !error.sent;
    if (untouched) this.#backend?.noteFailure();
    const { method } = this.#context.exchange;
    const repeatable = this.#request.body?.isSettled !== true && (method === 'GET' || method === 'HEAD');
    this.#detach();
    const again = untouched || (repeatable && this.#mayRepeat);
    if (!untouched) this.#mayRepeat = false;
    if (again && this.#retry()) return;
    this.#over = true;
    this.#request.body?.drop();
    if (this.#context.exchange.responded) this.#answered();
    else this.#failed(untouched || repeatable ? backendAway(this.#pool) : connectionLost(this.#pool));
  }

  /**
   * Sends the request again to another backend, or once more to the same one, whose kept connection may have been
   * stale.
   */
  #retry(): boolean {
    const failed = this.#backend;
    if (failed === undefined || this.#context.exchange.closed || this.#context.exchange.responded) return false;
    const again = this.#tried?.has(failed) === true;
    this.#tried ??= new Set();
    const next =
      this.#pool.pick(new Set([...this.#tried, failed])) ?? (again ? undefined : this.#pool.pick(this.#tried));
    this.#tried.add(failed);
    if (next === undefined) return false;
    this.#backend = next;
    next.outstanding++;
    this.#call = next.transport.forward(this.#request, this);
    return true;
  }

  #clientClosed(): void {
    if (this.#over) return;
    this.#call?.abort();
    this.#finish();
    this.#answered();
  }

  #finish(): void {
    this.#over = true;
    this.#detach();
  }

  #detach(): void {
    if (this.#backend === undefined) return;
    this.#backend.release();
    this.#call = undefined;
    if (this.#over) this.#backend = undefined;
  }
}

/** A client's request in the form that is sent to a backend. */
class ClientRequest implements ForwardRequest {
  readonly method: string;
  readonly target: string;
  readonly ownLines: string;
  readonly body: ForwardedBody | undefined;
  readonly #context: RequestContext;

  constructor(context: RequestContext) {
    const { exchange } = context;
    const { method, path, query } = exchange;
    const length = announcedLength(exchange);
    this.#context = context;
    this.method = method;
    this.target = query === '' ? path : `${path}?${query}`;
    this.ownLines = `${ownHeaderLines(context)}${length === undefined ? '' : `content-length: ${length}\r\n`}`;
    this.body = exchange.hasBody ? new ForwardedBody(exchange.body) : undefined;
  }

  /**
   * Built for every send and never kept: with HPACK, some hundred bytes from a client can become a megabyte of header
   * lines, which a watch would hold for its whole duration.
   */
  get sharedLines(): string {
    return sharedHeaderLines(this.#context);
  }
}

function connectionLost(pool: BackendPool): StatusError {
  return newServiceUnavailable(
    `the connection to the ${pool.name} server was lost before it answered; the request may have been carried out`,
  );
}
