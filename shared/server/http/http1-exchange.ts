import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import { auditHeader } from '#shared/request/audit-header.ts';
import type {
  Exchange,
  IncomingHeaders,
  ListenerTrust,
  NodeExchange,
  OutgoingHeaders,
  ResponseStream,
  TakenConnection,
} from '#shared/request/exchange.ts';
import { bodyLength, collectBody, ExchangeBase } from '#shared/server/exchange/exchange-base.ts';
import { limits } from './limits.ts';
import type { PeerConnection } from './peer-connection.ts';

const joinBelowBytes = 32 * 1024;

/** What sets a request apart from the usual ones. */
export interface Http1Form {
  /** The client sends the body only when it is asked to. */
  readonly expectsContinue?: boolean;
  /** Of an upgrade or CONNECT: the bytes behind the head. */
  readonly upgradeHead?: Buffer;
}

/** An exchange on node:http, behind TLS or on a Unix socket. */
export class Http1Exchange extends ExchangeBase implements Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly httpVersion = '1.1';
  readonly trust: ListenerTrust;
  readonly expectsContinue: boolean;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #connection: PeerConnection;
  readonly #upgradeHead: Buffer | undefined;
  #unwatch: (() => void) | undefined;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    connection: PeerConnection,
    trust: ListenerTrust,
    { expectsContinue = false, upgradeHead }: Http1Form = {},
  ) {
    super();
    this.expectsContinue = expectsContinue;
    this.#request = request;
    this.#response = response;
    this.#connection = connection;
    this.#upgradeHead = upgradeHead;
    this.trust = trust;
    this.method = request.method ?? 'GET';
    const target = originForm(request.url ?? '/');
    const mark = target.indexOf('?');
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.query = mark < 0 ? '' : target.slice(mark + 1);
    connection.active++;
    if (upgradeHead !== undefined) {
      this.#unwatch = watchForEnd(request.socket);
      response.once('finish', () => this.#takeInTheRest());
    }
    const done = upgradeHead === undefined ? response : request.socket;
    done.once('close', () => {
      connection.active--;
      this.markClosed();
      if (!request.complete && !request.destroyed) cutUnlessComplete(request);
    });
  }

  get headers(): IncomingHeaders {
    return this.#request.headers;
  }

  get rawHeaders(): readonly string[] {
    return this.#request.rawHeaders;
  }

  get node(): NodeExchange {
    return { request: this.#request, response: this.#response };
  }

  get remoteAddress(): string {
    return this.#connection.remoteAddress;
  }

  get remotePort(): number {
    return this.#connection.remotePort;
  }

  peerCertificates(): readonly Buffer[] | undefined {
    return this.#connection.peerCertificates();
  }

  get hasBody(): boolean {
    const { 'content-length': length, 'transfer-encoding': coding } = this.#request.headers;
    return coding !== undefined || (length !== undefined && length !== '0');
  }

  get body(): Readable {
    return this.#request;
  }

  async readBody(maxBytes: number): Promise<Buffer> {
    try {
      return await collectBody(this.#request, this.#request.headers['content-length'], maxBytes);
    } catch (error) {
      // The connection is closed, since the rest of the body would be read as the next request.
      this.setHeader('connection', 'close');
      throw error;
    }
  }

  override awaitsBody(listener: () => void): boolean {
    if (!this.hasBody || this.#request.readableEnded) return false;
    this.#request.once('end', listener);
    return true;
  }

  inform(status: number, headers: OutgoingHeaders): void {
    // A client of HTTP/1.0 knows no informational answers (RFC 9110 section 15.2).
    if (this.responded || this.closed || this.#request.httpVersionMinor === 0) return;
    this.#response.writeInformation(status, headers);
  }

  send(status: number, headers: OutgoingHeaders, body?: string | Uint8Array | readonly Uint8Array[]): void {
    const all = this.claim(status, headers);
    const held = this.complete();
    if (held === undefined) this.#write(status, all, body);
    else this.afterwards(held, () => this.#write(status, all, body));
  }

  #write(status: number, all: OutgoingHeaders, body: string | Uint8Array | readonly Uint8Array[] | undefined): void {
    const response = this.#response;
    const length = bodyLength(body);
    this.answerBytes = length;
    if (all['content-length'] === undefined && status !== 204 && status !== 304) all['content-length'] = length;
    response.writeHead(status, all);
    if (body === undefined || length === 0) response.end();
    else if (typeof body === 'string' || body instanceof Uint8Array) response.end(body);
    else if (length <= joinBelowBytes) response.end(Buffer.concat(body, length));
    else {
      response.cork();
      for (const chunk of body) response.write(chunk);
      response.end();
      response.uncork();
    }
  }

  stream(status: number, headers: OutgoingHeaders): ResponseStream {
    const response = this.#response;
    const flush = joinWritesOfTurn(response.socket);
    response.writeHead(status, this.claim(status, headers));
    response.flushHeaders();
    return new Http1ResponseStream(response, flush, this);
  }

  get queuedBytes(): number {
    return this.#response.writableLength;
  }

  dropClient(): void {
    this.#request.socket.destroy();
  }

  endNow(): void {
    const response = this.#response;
    const held = response.writable && this.responded ? this.complete() : undefined;
    if (held !== undefined) this.afterwards(held, () => void (response.writable && response.end()));
    else if (response.headersSent && response.writable) response.end();
    else this.#request.socket.destroy();
  }

  abandon(): void {
    if (!this.#response.writableEnded) this.#request.socket.destroy();
  }

  upgrade(): TakenConnection | undefined {
    if (this.#upgradeHead === undefined) return undefined;
    const { [auditHeader]: note } = this.claim(101, {});
    this.#unwatch?.();
    this.#response.detachSocket(this.#request.socket);
    const hopLines = note === undefined ? '' : `${auditHeader}: ${String(note)}\r\n`;
    return { socket: this.#request.socket, head: this.#upgradeHead, hopLines };
  }

  /**
   * Discards bytes that the client sends after the answer: they have no meaning, but the end of the connection is
   * noticed only after they are read.
   */
  #takeInTheRest(): void {
    const { socket } = this.#request;
    this.#unwatch?.();
    socket.resume();
    socket.end();
    setTimeout(() => socket.destroy(), limits.lingerMs).unref();
  }
}

class Http1ResponseStream implements ResponseStream {
  readonly #response: ServerResponse;
  readonly #flush: () => void;
  readonly #exchange: ExchangeBase;

  /** @param flush sends what was written before the end of the turn */
  constructor(response: ServerResponse, flush: () => void, exchange: ExchangeBase) {
    this.#exchange = exchange;
    this.#response = response;
    this.#flush = flush;
  }

  write(chunk: string | Uint8Array, written?: (error?: Error | null) => void): boolean {
    this.#exchange.answerBytes += chunk.length;
    return this.#response.writable ? this.#response.write(chunk, written) : true;
  }

  get bufferedBytes(): number {
    return this.#response.writableLength;
  }

  onDrain(listener: () => void): void {
    this.#response.on('drain', listener);
  }

  end(trailers?: OutgoingHeaders): void {
    const held = this.#exchange.complete();
    if (held === undefined) this.#end(trailers);
    else this.#exchange.afterwards(held, () => this.#end(trailers));
  }

  #end(trailers: OutgoingHeaders | undefined): void {
    if (trailers) this.#response.addTrailers(trailers);
    this.#response.end();
  }

  abort(): void {
    this.#flush();
    this.#response.destroy();
  }
}

/**
 * The head of a streamed answer and what is written in the same turn of the event loop are sent in one system call: the
 * answer of a backend or of a proxied pod mostly arrives whole. Returns a function that sends it at once.
 */
function joinWritesOfTurn(socket: Duplex | null): () => void {
  if (socket === null) return () => undefined;
  let isFlushed = false;
  const flush = (): void => {
    if (!isFlushed) socket.uncork();
    isFlushed = true;
  };
  socket.cork();
  setImmediate(flush);
  return flush;
}

/**
 * Watches for a client that disconnects before its upgrade is taken over: until then nothing else reads the connection.
 * Received bytes stay unread. Returns a function that ends the watch.
 */
function watchForEnd(socket: Duplex): () => void {
  const onReadable = (): void => undefined;
  const onEnd = (): void => void socket.destroy();
  socket.on('readable', onReadable).on('end', onEnd);
  return () => void socket.off('readable', onReadable).off('end', onEnd);
}

/**
 * Destroys the connection if the rest of the body does not arrive in time: the next request on the connection would
 * follow the body.
 */
function cutUnlessComplete(request: IncomingMessage): void {
  const timer = setTimeout(() => request.socket.destroy(), limits.restOfBodyMs).unref();
  request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
}

/**
 * The path and query of a target, which may be an absolute URL (RFC 9112 section 3.2.2). Any other target is returned
 * unchanged and refused later.
 */
function originForm(target: string): string {
  return target.startsWith('/') ? target : (/^https?:\/\/[^/?]*(.*)$/i.exec(target)?.[1] ?? target);
}
