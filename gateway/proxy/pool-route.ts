import { newServiceUnavailable, type StatusError } from '#shared/apimachinery/errors/status.ts';
import type { AnswerHandler, RelayedCall, RelayRoute } from '#shared/request/relay/relay.ts';
import type { BackendPool } from './backend-pool.ts';
import type { Backend } from './backend.ts';
import { TransportError } from './hop/transport.ts';
import { backendAway, pickOrRefuse } from './pick-backend.ts';

/** A request in the form in which one of a backend's transports sends it. */
export interface BackendRequest {
  sendTo(backend: Backend, handler: AnswerHandler): RelayedCall;
  /**
   * Whether the request may be sent again after an attempt failed, and how often: a read only once, as it may be what
   * crashes the backends.
   */
  repeats(error: Error): 'never' | 'once' | 'always';
  /** A body that is kept to be sent again; it is dropped when the request is over. */
  readonly body?: { drop(): void } | undefined;
}

/** The way of a request to a backend of a pool, in one attempt or several. */
export class PoolRoute implements RelayRoute {
  readonly #pool: BackendPool;
  readonly #request: BackendRequest;
  #tried: Set<Backend> | undefined;
  #wasRepeated = false;
  #backend: Backend | undefined;

  constructor(pool: BackendPool, request: BackendRequest) {
    this.#pool = pool;
    this.#request = request;
  }

  send(handler: AnswerHandler): RelayedCall {
    return this.#sendTo(pickOrRefuse(this.#pool, undefined), handler);
  }

  onAnswer(): void {
    this.#backend?.noteAnswer();
  }

  resend(error: Error, handler: AnswerHandler): RelayedCall | undefined {
    const failed = this.#release();
    if (failed === undefined) return undefined;
    if (isUnsent(error)) failed.noteFailure();
    const repeats = this.#request.repeats(error);
    if (repeats === 'never' || (repeats === 'once' && this.#wasRepeated)) return undefined;
    if (repeats === 'once') this.#wasRepeated = true;
    const next = this.#nextAfter(failed);
    return next === undefined ? undefined : this.#sendTo(next, handler);
  }

  refuse(error: Error): StatusError {
    return isUnsent(error) || this.#request.repeats(error) !== 'never'
      ? backendAway(this.#pool)
      : newServiceUnavailable(
          `the connection to the ${this.#pool.name} server was lost before it answered; the request may have been carried out`,
        );
  }

  onOver(): void {
    this.#release();
    this.#request.body?.drop();
  }

  #sendTo(backend: Backend, handler: AnswerHandler): RelayedCall {
    this.#backend = backend;
    backend.outstanding++;
    return this.#request.sendTo(backend, handler);
  }

  /** Another backend, or once more the same one, whose kept connection may have been stale. */
  #nextAfter(failed: Backend): Backend | undefined {
    const again = this.#tried?.has(failed) === true;
    this.#tried ??= new Set();
    const next =
      this.#pool.pick(new Set([...this.#tried, failed])) ?? (again ? undefined : this.#pool.pick(this.#tried));
    this.#tried.add(failed);
    return next;
  }

  #release(): Backend | undefined {
    const backend = this.#backend;
    this.#backend = undefined;
    backend?.release();
    return backend;
  }
}

function isUnsent(error: Error): boolean {
  return error instanceof TransportError && !error.sent;
}
