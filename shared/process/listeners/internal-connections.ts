import type { Socket } from 'node:net';
import { hopUpgrade } from '#shared/process/hop/hop-protocol.ts';
import { serveHop, type HopServerConnection } from '#shared/process/hop/serve-hop.ts';
import type { ExchangeHandler } from '#shared/server/exchange/listener.ts';
import { createHttp1Server, type Http1Server } from '#shared/server/http/http1-server.ts';

/**
 * Accepted connections of gateways: HTTP/1.1, and after an upgrade the frames of `shared/process/hop`. The caller has
 * authenticated the peer.
 */
export class InternalConnections {
  readonly #hops = new Set<HopServerConnection>();
  readonly #sockets = new Set<Socket>();
  readonly #http1: Http1Server;
  readonly #waiting: (() => void)[] = [];

  constructor(onExchange: ExchangeHandler) {
    this.#http1 = createHttp1Server('internal', onExchange, {
      name: hopUpgrade,
      take: (socket, head) => {
        const hop = serveHop(socket, head, onExchange);
        this.#hops.add(hop);
        socket.on('close', () => this.#hops.delete(hop));
      },
    });
  }

  accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => {
      this.#sockets.delete(socket);
      if (this.#sockets.size === 0) for (const resolve of this.#waiting.splice(0)) resolve();
    });
    this.#http1.accept(socket);
  }

  /** Resolves when no connection is open. */
  async gone(): Promise<void> {
    if (this.#sockets.size > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Refuses new requests on the connections from now on, as not begun. */
  stopAccepting(): void {
    this.#http1.lastAnswers();
    this.#http1.closeIdle();
    for (const hop of this.#hops) hop.stopAccepting();
  }

  get isSending(): boolean {
    return [...this.#sockets].some((socket) => socket.writableLength > 0);
  }

  destroy(): void {
    for (const hop of this.#hops) hop.flush();
    for (const socket of this.#sockets) socket.destroy();
    this.#http1.close();
  }
}
