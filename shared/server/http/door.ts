import { once } from 'node:events';
import { createServer, type AddressInfo, type ListenOptions, type Socket } from 'node:net';

/** Connections that wait in the kernel until they are accepted. */
export const backlog = 1024;
/** How long a port may still be held by the processes of a server that was killed, and that end by themselves. */
const freeWithinMs = 2_000;
const retryMs = 20;

export interface DoorOptions {
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
  readonly reusePort?: boolean;
  /** A socket that listens on host and port already, and that other processes may share. */
  readonly fd?: number | undefined;
}

/**
 * A port on which connections wait until they are served, so that no dial is refused while a server starts. A socket of
 * its own is accepted from at once, and connections are held. Those of a shared socket stay in its backlog, from where
 * other processes that serve already can accept them.
 */
export class Door {
  readonly #options: DoorOptions;
  readonly #server = createServer((socket) => this.#take(socket));
  readonly #held = new Set<Socket>();
  #serve: ((socket: Socket) => void) | undefined;
  #isClosed = false;

  constructor(options: DoorOptions) {
    this.#options = options;
  }

  /** The port, once the door is open. */
  get port(): number {
    return (this.#server.address() as AddressInfo | null)?.port ?? this.#options.port;
  }

  /** The descriptor of the listening socket; undefined where the system has none, or before it is open. */
  get fd(): number | undefined {
    // Node.js has no public name for it.
    const fd = (this.#server as { readonly _handle?: { readonly fd?: number } | null })._handle?.fd;
    return fd !== undefined && fd >= 0 ? fd : undefined;
  }

  /** Binds the port, unless its socket is shared. Rejects with one line that names the flag to change. */
  async open(): Promise<void> {
    const { host, port, reusePort = false, fd } = this.#options;
    if (fd !== undefined) return;
    const giveUpAt = performance.now() + freeWithinMs;
    for (;;) {
      try {
        return await this.#listen({ host, port, reusePort, backlog });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || performance.now() > giveUpAt || this.#isClosed)
          throw asAddressError(error as NodeJS.ErrnoException, host, port);
      }
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }

  /** Passes on the connections that wait, and all later ones. */
  async serve(onConnection: (socket: Socket) => void): Promise<void> {
    const { fd } = this.#options;
    if (this.#isClosed) return;
    this.#serve = onConnection;
    for (const socket of this.#held) onConnection(socket);
    this.#held.clear();
    if (fd !== undefined) await this.#listen({ fd, backlog });
  }

  /** Takes no more connections; those that still wait are ended. */
  close(): void {
    this.#isClosed = true;
    this.#server.close();
    for (const socket of this.#held) socket.destroy();
  }

  #take(socket: Socket): void {
    if (this.#serve !== undefined) return this.#serve(socket);
    this.#held.add(socket);
    socket.on('close', () => this.#held.delete(socket)).on('error', () => socket.destroy());
  }

  async #listen(options: ListenOptions & { readonly fd?: number }): Promise<void> {
    this.#server.listen(options);
    // Rejects when the address cannot be used, and leaves no listener behind for the next try.
    await once(this.#server, 'listening');
    // Without a free descriptor an accept fails; open connections go on (descriptor-limit.ts tells the operator).
    this.#server.on('error', () => undefined);
  }
}

/** The cause, with the flag that avoids it. */
function asAddressError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const [fault, remedy] = addressFaults.get(error.code ?? '') ?? [];
  if (fault === undefined) return error;
  const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  return new Error(`${address} ${fault}: ${remedy}`, { cause: error });
}

const addressFaults: ReadonlyMap<string, readonly [fault: string, remedy: string]> = new Map([
  ['EADDRINUSE', ['is in use', 'end the process that listens there, or give another port with --secure-port']],
  ['EACCES', ['may not be used by this user', 'give a port above 1023 with --secure-port']],
  ['EADDRNOTAVAIL', ['is no address of this machine', 'give one that is with --bind-address']],
  ['EAFNOSUPPORT', ['is of a family that this machine does not have', 'give another address with --bind-address']],
]);
