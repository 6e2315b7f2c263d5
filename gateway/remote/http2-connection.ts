import { connect } from 'node:http2';
import type { ClientHttp2Session } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Dispatcher } from 'undici';
import { Http2Call } from './http2-call.ts';
import type { RemoteRequest } from './remote-address.ts';

/** Until the server says how many it takes, as Go's client does. */
const assumedStreams = 100;
/** A stalled reader holds this much of its own, and nothing of the others. */
const streamWindow = 1 << 20;
const connectionWindow = 1 << 26;
const idleMs = 90_000;
/** How often a connection in use is asked whether it lives, and how long the answer may take (apimachinery/pkg/util/net). */
const askMs = 30_000;
const pingMs = 15_000;

/** One HTTP/2 connection to a registered API server, shared by the requests under way. */
export class Http2Connection {
  readonly #session: ClientHttp2Session;
  readonly #authority: string;
  #open = 0;
  #lastEnd = Date.now();

  /** `onClosed`: it takes no more requests. */
  constructor(socket: TLSSocket, authority: string, onClosed: (connection: Http2Connection) => void) {
    this.#authority = authority;
    const session = connect(`https://${authority}`, { createConnection: () => socket, settings: { enablePush: false, initialWindowSize: streamWindow } });
    this.#session = session;
    const closed = (): void => onClosed(this);
    session.on('connect', () => session.setLocalWindowSize(connectionWindow));
    session.on('goaway', closed).on('close', closed).on('error', closed);
    const watch = setInterval(() => this.#watch(), askMs).unref();
    session.on('close', () => clearInterval(watch));
  }

  get hasRoom(): boolean {
    return !this.#session.closed && !this.#session.destroyed && this.#open < (this.#session.remoteSettings?.maxConcurrentStreams ?? assumedStreams);
  }

  /** @throws TypeError for headers that cannot be sent */
  send({ path, method, headers, body }: RemoteRequest, handler: Dispatcher.DispatchHandler): void {
    const head = [':method', method, ':scheme', 'https', ':authority', this.#authority, ':path', path, ...headers];
    const stream = this.#session.request(head, { endStream: body === null });
    this.#open++;
    stream.on('close', () => {
      this.#open--;
      this.#lastEnd = Date.now();
    });
    new Http2Call(stream, handler).start(body);
  }

  /** Requests under way end as they would. */
  close(): void {
    this.#session.close();
  }

  #watch(): void {
    if (this.#open === 0) {
      if (Date.now() - this.#lastEnd >= idleMs) this.close();
      return;
    }
    const late = setTimeout(() => this.#session.destroy(new Error('http2: client connection lost')), pingMs);
    if (!this.#session.ping(() => clearTimeout(late))) clearTimeout(late);
  }
}
