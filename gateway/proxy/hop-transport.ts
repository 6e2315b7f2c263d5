import { onBehalfOfRequests } from '#shared/observability/request-scope.ts';
import type { Dial } from '#shared/process/link/dial.ts';
import type { AnswerHandler, RelayedCall } from '#shared/request/relay/relay.ts';
import { HopConnection } from './hop/hop-connection.ts';
import type { ForwardRequest, Transport } from './hop/transport.ts';

/**
 * Sends all requests to a backend on one connection (`shared/process/hop`), which the first request opens, and the next
 * one after a loss. All frames of one turn of the event loop are one write, on both sides. HTTP/1.1 with a connection
 * for each request costs twice the CPU (`.github/decisions/hop-transport.md`).
 */
export class HopTransport implements Transport {
  readonly #dial: Dial;
  #connection: HopConnection | undefined;

  constructor(dial: Dial) {
    this.#dial = dial;
  }

  forward(request: ForwardRequest, handler: AnswerHandler): RelayedCall {
    if (this.#connection === undefined || this.#connection.lost)
      this.#connection = onBehalfOfRequests(() => new HopConnection(this.#dial));
    return this.#connection.forward(request, handler);
  }

  /** Fails all current calls; the next call opens a new connection. */
  reset(reason: string): void {
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.fail(reason);
  }

  close(): void {
    this.#connection?.close();
  }
}
