import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import type { EgressDial } from '#shared/egress/dial/egress-dial.ts';

/**
 * Unix sockets in this process, each of which leads to one address by a dialer, for clients that can only connect to
 * addresses (gRPC's). The folder must be one that nobody else can open.
 */
export class DialingRelay {
  readonly #dial: EgressDial;
  readonly #pathOf: (index: number) => string;
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #paths = new Map<string, Promise<string>>();

  constructor(dial: EgressDial, pathOf: (index: number) => string) {
    this.#dial = dial;
    this.#pathOf = pathOf;
  }

  /** The path of the socket that leads to the address (`host:port`). */
  pathTo(address: string): Promise<string> {
    let path = this.#paths.get(address);
    if (path === undefined) this.#paths.set(address, (path = this.#listen(address, this.#pathOf(this.#paths.size))));
    return path;
  }

  close(): void {
    for (const server of this.#servers) server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  async #listen(address: string, path: string): Promise<string> {
    rmSync(path, { force: true });
    const server = createServer({ allowHalfOpen: true }, (socket) => this.#join(socket, address));
    this.#servers.push(server);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
    return path;
  }

  #join(socket: Socket, address: string): void {
    this.#sockets.add(socket);
    const given = new AbortController();
    socket
      .on('error', () => undefined)
      .once('close', () => {
        this.#sockets.delete(socket);
        given.abort();
      });
    this.#dial(address, given.signal).then(
      (other) => {
        pipeline(socket, other, () => undefined);
        pipeline(other, socket, () => undefined);
      },
      // The client tries again, and tells its own error; the metrics count the failure.
      () => socket.destroy(),
    );
  }
}
