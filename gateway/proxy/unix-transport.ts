import { Http1Connection } from './http1/connection.ts';
import type { AnswerHandler, ForwardedCall, ForwardRequest, Transport } from './transport.ts';

const maxIdle = 64;

/**
 * HTTP/1.1 over a backend's Unix socket, with a pool of connections that are kept open. Chosen by measurement before
 * undici's dispatch and node:http (see the README of gateway/): nothing here is general, so little is done a request.
 * There is no upper bound of connections: the number of requests in flight is bounded by the filters in front, and
 * watches need a connection each.
 */
export class UnixTransport implements Transport {
  readonly #socketPath: string;
  readonly #idle: Http1Connection[] = [];
  readonly #all = new Set<Http1Connection>();
  #closed = false;

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  forward(request: ForwardRequest, handler: AnswerHandler): ForwardedCall {
    // The one used last first: the others may rest and be closed.
    const connection = this.#idle.pop() ?? this.#open();
    return connection.start(request, handler);
  }

  close(): void {
    this.#closed = true;
    for (const connection of this.#all) connection.destroy();
  }

  #open(): Http1Connection {
    const connection = new Http1Connection(this.#socketPath, (released, reusable) => this.#release(released, reusable));
    this.#all.add(connection);
    return connection;
  }

  #release(connection: Http1Connection, reusable: boolean): void {
    if (reusable && !this.#closed && this.#idle.length < maxIdle) {
      this.#idle.push(connection);
      return;
    }
    this.#all.delete(connection);
    const at = this.#idle.indexOf(connection);
    if (at >= 0) this.#idle.splice(at, 1);
    if (reusable) connection.destroy();
  }
}
