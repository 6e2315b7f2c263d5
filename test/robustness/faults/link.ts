import { rmSync } from 'node:fs';
import { createServer, connect } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A Unix socket's path, or a port of the loopback address. */
export type LinkAddress = string | number;

/** What happens to new connections: `open` passes them on, `refusing` ends them at once. */
type Entrance = 'open' | 'refusing';

/**
 * A connection between two processes that the test can cut, delay and hold up. Bytes pass unchanged and in order, or
 * the connection ends: nothing is made up, since neither TCP nor a Unix socket does that.
 */
export class Link {
  readonly name: string;
  /** Over TCP: here one side may be gone without the other knowing. */
  readonly overTcp: boolean;
  readonly #listen: LinkAddress;
  readonly #target: LinkAddress;
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  #entrance: Entrance = 'open';
  #stalled = false;
  #delayMs = 0;

  constructor(name: string, listen: LinkAddress, target: LinkAddress) {
    this.name = name;
    this.#listen = listen;
    this.#target = target;
    this.overTcp = typeof target === 'number';
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#accept(socket));
  }

  /** Resolves with the port, 0 for a path. */
  async open(): Promise<number> {
    if (typeof this.#listen === 'string') rmSync(this.#listen, { force: true });
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      if (typeof this.#listen === 'string') this.#server.listen(this.#listen, resolve);
      else this.#server.listen(this.#listen, '127.0.0.1', resolve);
    });
    const address = this.#server.address();
    return typeof address === 'string' ? 0 : (address as AddressInfo).port;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.cut();
    await closed;
  }

  /** Ends every connection in the midst of what it was saying. */
  cut(): void {
    for (const pair of this.#pairs) pair.destroy();
  }

  /** The server's side of every connection ends, the client's side falls silent until {@link cut}. */
  cutServerSide(): void {
    for (const pair of this.#pairs) pair.loseServer();
  }

  refuse(refusing: boolean): void {
    this.#entrance = refusing ? 'refusing' : 'open';
  }

  stall(stalled: boolean): void {
    this.#stalled = stalled;
    for (const pair of this.#pairs) pair.stall(stalled);
  }

  /** For bytes that come from now on. */
  delay(delayMs: number): void {
    this.#delayMs = delayMs;
  }

  #accept(client: Socket): void {
    if (this.#entrance === 'refusing') return void client.on('error', () => undefined).destroy();
    const server =
      typeof this.#target === 'string'
        ? connect({ path: this.#target, allowHalfOpen: true })
        : connect({ port: this.#target, host: '127.0.0.1', allowHalfOpen: true });
    const pair = new Pair(
      client,
      server,
      () => this.#delayMs,
      () => this.#pairs.delete(pair),
    );
    this.#pairs.add(pair);
    if (this.#stalled) pair.stall(true);
  }
}

/** Both halves of one connection. */
class Pair {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #onClose: () => void;
  #serverLost = false;

  constructor(client: Socket, server: Socket, delayMs: () => number, onClose: () => void) {
    this.#client = client;
    this.#server = server;
    this.#onClose = onClose;
    for (const socket of [client, server]) {
      if ('setNoDelay' in socket) socket.setNoDelay(true);
      socket.on('error', () => this.#over()).on('close', () => this.#over());
    }
    pass(client, server, delayMs);
    pass(server, client, delayMs);
  }

  stall(stalled: boolean): void {
    for (const socket of [this.#client, this.#server]) {
      if (stalled) socket.pause();
      else socket.resume();
    }
  }

  loseServer(): void {
    this.#serverLost = true;
    this.#server.destroy();
  }

  destroy(): void {
    this.#serverLost = false;
    this.#over();
  }

  #over(): void {
    // A side that fell silent ends with the fault.
    if (this.#serverLost) return;
    this.#client.destroy();
    this.#server.destroy();
    this.#onClose();
  }
}

function pass(from: Socket, to: Socket, delayMs: () => number): void {
  // Timers of fractions of a millisecond may fire in another order than they were set: the queue keeps it.
  const queue: { readonly at: number; readonly work: () => void }[] = [];
  const run = (): void => {
    for (let next = queue[0]; next !== undefined && next.at <= performance.now(); next = queue[0]) {
      queue.shift();
      next.work();
    }
    if (queue[0] !== undefined) setTimeout(run, Math.ceil(queue[0].at - performance.now()));
  };
  const later = (work: () => void): void => {
    const at = Math.max(queue.at(-1)?.at ?? 0, performance.now() + delayMs());
    queue.push({ at, work });
    if (queue.length === 1) run();
  };
  from.on('data', (chunk: Buffer) =>
    later(() => {
      if (to.destroyed || to.write(chunk)) return;
      from.pause();
      to.once('drain', () => from.resume());
    }),
  );
  from.on('end', () => later(() => void to.end()));
}
