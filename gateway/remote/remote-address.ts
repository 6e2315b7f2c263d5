import { connect as connectTls } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import type { Readable } from 'node:stream';
import type { Agent, Dispatcher } from 'undici';
import { Http2Connection } from './http2-connection.ts';
import type { RemoteTls } from './remote-server.ts';

const connectTimeoutMs = 30_000;
/** Of a server that closes connections as soon as they are open. */
const maxAttempts = 3;

export interface RemoteRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: Readable | null;
}

/**
 * The connections to one address of a registered API server: HTTP/2 where it speaks that, with another connection when the
 * streams of the first are used up by watches; otherwise HTTP/1.1 with a connection for each request under way.
 */
export class RemoteAddress {
  readonly #address: string;
  readonly #tls: RemoteTls;
  readonly #openAgent: () => Promise<Agent>;
  readonly #connections = new Set<Http2Connection>();
  #opening: Promise<void> | undefined;
  #http1: Promise<Agent> | undefined;

  constructor(address: string, tls: RemoteTls, openAgent: () => Promise<Agent>) {
    this.#address = address;
    this.#tls = tls;
    this.#openAgent = openAgent;
  }

  /** Rejects when there is no connection, or the request cannot be written. */
  async dispatch(request: RemoteRequest, handler: Dispatcher.DispatchHandler): Promise<void> {
    for (let attempt = 0; attempt <= maxAttempts; attempt++) {
      if (this.#http1 !== undefined) {
        const { headers, ...rest } = request;
        (await this.#http1).dispatch({ ...rest, headers: [...headers], origin: `https://${this.#address}` }, handler);
        return;
      }
      for (const connection of this.#connections) if (connection.hasRoom) return connection.send(request, handler);
      await (this.#opening ??= this.#open());
    }
    throw new Error('EOF');
  }

  /** Requests under way end as they would. */
  close(): void {
    for (const connection of this.#connections) connection.close();
  }

  async #open(): Promise<void> {
    try {
      const socket = await connectTo(this.#address, this.#tls);
      if (socket.alpnProtocol === 'h2') {
        this.#connections.add(new Http2Connection(socket, this.#address, (connection) => this.#connections.delete(connection)));
      } else {
        socket.destroy();
        this.#http1 = this.#openAgent();
      }
    } finally {
      this.#opening = undefined;
    }
  }
}

function connectTo(address: string, tls: RemoteTls): Promise<TLSSocket> {
  const { hostname, port } = new URL(`https://${address}`);
  return new Promise((resolve, reject) => {
    const socket = connectTls({ ...tls, host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? 443 : Number(port), ALPNProtocols: ['h2', 'http/1.1'] });
    socket.setNoDelay(true);
    const timer = setTimeout(() => socket.destroy(Object.assign(new Error('i/o timeout'), { code: 'CONNECT_TIMEOUT' })), connectTimeoutMs);
    socket.once('error', reject);
    socket.once('close', () => clearTimeout(timer));
    socket.once('secureConnect', () => {
      clearTimeout(timer);
      socket.off('error', reject);
      resolve(socket);
    });
  });
}
