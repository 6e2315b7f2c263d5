import { createServer, ServerResponse, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ListenerTrust } from '#shared/request/exchange.ts';
import type { ExchangeHandler } from '#shared/server/exchange/listener.ts';
import { Http1Exchange } from './http1-exchange.ts';
import { heedExpectation } from './http1-expectation.ts';
import { lingerBehindAnswers } from './http1-linger.ts';
import { limits } from './limits.ts';
import { answerMalformedRequest } from './malformed-requests.ts';
import { PeerConnection } from './peer-connection.ts';
import { resumeUnknownMethod, type ParseError } from './unknown-method.ts';

/** A protocol of this product to which gateways switch by an upgrade. */
export interface OwnProtocol {
  /** The value of the `Upgrade` header. */
  readonly name: string;
  /** Takes over a connection that has switched to the protocol. */
  readonly take: (socket: Socket, head: Buffer) => void;
}

export interface Http1Server {
  accept(socket: Socket): void;
  /**
   * Makes every answer from now on the last of its connection (`Connection: close`), also for requests under way.
   * Closes public connections that wait for their next request: at once, as Go does, which waits only for new ones.
   */
  lastAnswers(): void;
  /** Closes all connections without a request, also new ones. */
  closeIdle(): void;
  /** Ends the periodic checks of connections. No further connection is accepted. */
  close(): void;
}

/**
 * A node:http server that does not listen itself but gets its sockets from a listener. On the internal hop the peer is
 * a gateway of this product, so idle connections stay open and answers have no date.
 */
export function createHttp1Server(trust: ListenerTrust, onExchange: ExchangeHandler, own?: OwnProtocol): Http1Server {
  return new ConnectionServer(trust, onExchange, own);
}

class ConnectionServer implements Http1Server {
  readonly #trust: ListenerTrust;
  readonly #onExchange: ExchangeHandler;
  readonly #own: OwnProtocol | undefined;
  readonly #server: Server;
  readonly #connections = new WeakMap<Duplex, PeerConnection>();
  /** The real method of the first request, for sockets whose parser was given a stand-in method. */
  readonly #methods = new WeakMap<Duplex, string>();
  readonly #underWay = new Set<ServerResponse>();
  /** The connections that have had a request. */
  readonly #kept = new Set<Socket>();
  /** The newest request with a body. */
  readonly #uploads = new WeakMap<Socket, IncomingMessage>();
  #ending = false;

  constructor(trust: ListenerTrust, onExchange: ExchangeHandler, own: OwnProtocol | undefined) {
    this.#trust = trust;
    this.#onExchange = onExchange;
    this.#own = own;
    const internal = trust === 'internal';
    this.#server = createServer(
      {
        maxHeaderSize: limits.headerBytes,
        headersTimeout: internal ? 0 : limits.headersMs,
        requestTimeout: 0,
        keepAliveTimeout: internal ? 0 : limits.idleConnectionMs,
        connectionsCheckingInterval: 10_000,
        noDelay: !internal,
        requireHostHeader: false,
        shouldUpgradeCallback: (request) => isUpgrade(request) || this.#wantsOwn(request),
      },
      (request, response) => this.#serve(request, response),
    );
    // Without these listeners Node.js would answer 100 and 417 by itself, before the request is authenticated.
    this.#server.on('checkContinue', (request, response) => this.#serve(request, response));
    this.#server.on('checkExpectation', (request, response) => this.#serve(request, response));
    this.#server.on('clientError', (error: ParseError, socket: Duplex) => this.#carryOnOrRefuse(error, socket));
    this.#server.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      socket.on('error', () => socket.destroy());
      this.#serveAlone(request, socket, head);
    });
    this.#server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      socket.on('error', () => socket.destroy());
      if (this.#wantsOwn(request)) this.#beginOwn(socket, head);
      else this.#serveAlone(request, socket, head);
    });
    // This event starts the checks of header time-outs and idle connections; it must be emitted here, since this server
    // never listens itself.
    this.#server.emit('listening');
  }

  accept(socket: Socket): void {
    if (this.#trust === 'public') lingerBehindAnswers(socket, () => this.#uploads.get(socket)?.complete === false);
    this.#server.emit('connection', socket);
  }

  lastAnswers(): void {
    this.#ending = true;
    for (const response of this.#underWay) response.shouldKeepAlive = false;
    if (this.#trust === 'public') this.#closeKept();
  }

  #closeKept(): void {
    const busy = new Set([...this.#underWay].map(({ socket }) => socket));
    for (const socket of this.#kept) if (!busy.has(socket)) socket.destroy();
  }

  closeIdle(): void {
    this.#server.closeIdleConnections();
  }

  close(): void {
    this.#server.close();
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    if (this.#trust === 'internal') response.sendDate = false;
    else if (answerMalformedRequest(request, response)) return;
    const method = this.#methods.get(request.socket);
    if (method !== undefined) request.method = method;
    if (this.#ending || method !== undefined) response.shouldKeepAlive = false;
    const expectation = heedExpectation(request, response);
    if (expectation === 'refused') return;
    this.#underWay.add(response);
    response.on('close', () => this.#underWay.delete(response));
    const connection = this.#connections.get(request.socket) ?? this.#keep(request.socket);
    const exchange = new Http1Exchange(request, response, connection, this.#trust, {
      expectsContinue: expectation === 'continue',
    });
    if (exchange.hasBody) this.#uploads.set(request.socket, request);
    this.#onExchange(exchange);
  }

  /**
   * Serves a CONNECT or upgrade request, which may take over the connection. Node.js creates no response for it, so one
   * is created here.
   */
  #serveAlone(request: IncomingMessage, socket: Socket, head: Buffer): void {
    this.#kept.delete(socket);
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    try {
      response.assignSocket(socket);
    } catch {
      // The previous request on this connection has no answer yet, so the connection cannot be taken over.
      socket.destroy();
      return;
    }
    const exchange = new Http1Exchange(request, response, this.#connectionOf(socket), this.#trust, {
      upgradeHead: head,
    });
    if (this.#trust !== 'internal' && answerMalformedRequest(request, response)) return;
    this.#onExchange(exchange);
  }

  /** Serves a request whose method the parser does not know; refuses any other request that could not be parsed. */
  #carryOnOrRefuse(error: ParseError, socket: Duplex): void {
    const resumed = refused.has(socket) ? undefined : resumeUnknownMethod(error, socket);
    if (resumed === undefined) {
      refuse(error, socket);
      return;
    }
    refused.add(socket);
    this.#methods.set(resumed.socket, resumed.method);
    this.#connections.set(resumed.socket, this.#connectionOf(socket as Socket));
    this.#server.emit('connection', resumed.socket);
  }

  #wantsOwn(request: IncomingMessage): boolean {
    return this.#own !== undefined && request.headers.upgrade === this.#own.name;
  }

  #beginOwn(socket: Socket, head: Buffer): void {
    if (this.#own === undefined) return;
    const { name, take } = this.#own;
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${name}\r\n\r\n`);
    take(socket, head);
  }

  #keep(socket: Socket): PeerConnection {
    this.#kept.add(socket);
    socket.once('close', () => this.#kept.delete(socket));
    return this.#connectionOf(socket);
  }

  #connectionOf(socket: Socket): PeerConnection {
    let connection = this.#connections.get(socket);
    if (connection === undefined) this.#connections.set(socket, (connection = new PeerConnection(socket)));
    return connection;
  }
}

/** Answers a malformed request. The rest of it is still read, or the client would see a reset instead of the answer. */
function refuse(error: ParseError, socket: Duplex): void {
  if (refused.has(socket)) return;
  refused.add(socket);
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const line =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? '408 Request Timeout'
        : '400 Bad Request';
  socket.removeAllListeners('data');
  socket.resume();
  socket.end(`HTTP/1.1 ${line}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${line}`);
  setTimeout(() => socket.destroy(), limits.lingerMs).unref();
}

/** Sockets whose parser has failed; further errors of the parser are ignored. */
const refused = new WeakSet<Duplex>();

/**
 * Whether the request asks for a protocol that proxies and streams support; `Upgrade: h2c` and the like are served as
 * plain requests.
 */
function isUpgrade(request: IncomingMessage): boolean {
  return /^(?:websocket|SPDY\/3\.1)$/i.test(request.headers.upgrade ?? '');
}
