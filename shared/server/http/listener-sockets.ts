import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { sendCloseNotify } from '#shared/tls/close-notify.ts';

/** The open connections of a TLS listener. */
export class ListenerSockets {
  /** Those before their handshake, and below their TLS. */
  readonly #plain = new Set<Socket>();
  readonly #secure = new Set<TLSSocket>();
  readonly #ended = Promise.withResolvers<void>();
  #isEnding = false;

  addPlain(socket: Socket): void {
    this.#plain.add(socket);
    socket.on('close', () => this.#plain.delete(socket)).on('error', () => socket.destroy());
  }

  addSecure(socket: TLSSocket): void {
    sendCloseNotify(socket);
    this.#secure.add(socket);
    socket.on('close', () => {
      this.#secure.delete(socket);
      this.#endIfLast();
    });
  }

  get isEmpty(): boolean {
    return this.#plain.size === 0;
  }

  get isSending(): boolean {
    return [...this.#secure].some((socket) => socket.writableLength > 0);
  }

  /** Resolves after {@link destroy}, when every client was told of the end. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  destroy(): void {
    for (const socket of this.#secure) socket.destroy();
    this.#isEnding = true;
    this.#endIfLast();
  }

  #endIfLast(): void {
    if (!this.#isEnding || this.#secure.size > 0) return;
    // Below TLS all is said, and what is left never ended its handshake.
    for (const socket of this.#plain) socket.destroy();
    this.#ended.resolve();
  }
}
