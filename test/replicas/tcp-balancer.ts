import { request } from 'node:https';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export interface BalancerOptions {
  /** Ports of loopback. */
  readonly targets: readonly number[];
  /** Between two questions to each target. */
  readonly everyMs: number;
}

/**
 * A TCP balancer as any load balancer of a cloud is: it passes bytes without looking at them, gives each new connection
 * to the next target whose `/readyz` is green, and leaves the connections that are there alone.
 */
export class TcpBalancer {
  readonly #targets: readonly number[];
  readonly #green = new Set<number>();
  readonly #asking = new Set<number>();
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #timer: NodeJS.Timeout;
  #next = 0;

  constructor({ targets, everyMs }: BalancerOptions) {
    this.#targets = targets;
    this.#server = createServer({ allowHalfOpen: true }, (client) => this.#pass(client));
    this.#timer = setInterval(() => {
      for (const port of targets) this.#ask(port);
    }, everyMs);
  }

  /** Resolves with the port. */
  async open(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  isGreen(port: number): boolean {
    return this.#green.has(port);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #ask(port: number): void {
    if (this.#asking.has(port)) return;
    this.#asking.add(port);
    const recordAnswer = (isGreen: boolean): void => {
      this.#asking.delete(port);
      if (isGreen) this.#green.add(port);
      else this.#green.delete(port);
    };
    // Balancers trust whatever certificate they meet here.
    request({ host: '127.0.0.1', port, path: '/readyz', agent: false, rejectUnauthorized: false }, (answer) => {
      answer.resume();
      recordAnswer(answer.statusCode === 200);
    })
      .on('error', () => recordAnswer(false))
      .end();
  }

  #pass(client: Socket): void {
    const green = this.#targets.filter((port) => this.#green.has(port));
    const port = green[this.#next++ % Math.max(1, green.length)];
    if (port === undefined) return void client.on('error', () => undefined).destroy();
    const server = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
    for (const socket of [client, server]) {
      this.#sockets.add(socket.setNoDelay(true));
      socket
        .on('error', () => undefined)
        .on('close', () => {
          this.#sockets.delete(socket);
          client.destroy();
          server.destroy();
        });
    }
    client.pipe(server).pipe(client);
  }
}
