import { createServer, ServerResponse, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ListenerTrust } from '../../request/exchange.ts';
import { Http1Exchange } from './http1-exchange.ts';
import { limits } from './limits.ts';
import type { ExchangeHandler } from '../exchange/listener.ts';
import { PeerConnection } from './peer-connection.ts';
import { answeredBeforeHandlers } from './request-faults.ts';
import { carryOnUnknownMethod, type ParseError } from './unknown-method.ts';

/** A protocol of our own to which gateways change by an upgrade. */
export interface OwnProtocol {
  /** What the `Upgrade` field says. */
  readonly name: string;
  /** Takes over a connection on which it is spoken from here on. */
  readonly take: (socket: Socket, head: Buffer) => void;
}

export interface Http1Server {
  accept(socket: Socket): void;
  /** Every answer from now on, of requests under way too, says that it is the connection's last. */
  lastAnswers(): void;
  closeIdle(): void;
  /** Ends its checks of connections. No connection is accepted any more. */
  close(): void;
}

/**
 * A node:http server that is not listening itself: sockets are handed to it. On the internal hop the peer is our own
 * gateway, so idle connections live on and answers carry no date.
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
  /** Sockets whose first request has another method than its parser was told. */
  readonly #methods = new WeakMap<Duplex, string>();
  readonly #underWay = new Set<ServerResponse>();
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
    // The check of header time-outs and idle connections starts with this event, and this server never listens itself.
    this.#server.emit('listening');
  }

  accept(socket: Socket): void {
    this.#server.emit('connection', socket);
  }

  lastAnswers(): void {
    this.#ending = true;
    for (const response of this.#underWay) response.shouldKeepAlive = false;
  }

  closeIdle(): void {
    this.#server.closeIdleConnections();
  }

  close(): void {
    this.#server.close();
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    if (this.#trust === 'internal') response.sendDate = false;
    else if (answeredBeforeHandlers(request, response)) return;
    const method = this.#methods.get(request.socket);
    if (method !== undefined) request.method = method;
    if (this.#ending || method !== undefined) response.shouldKeepAlive = false;
    this.#underWay.add(response);
    response.on('close', () => this.#underWay.delete(response));
    this.#onExchange(new Http1Exchange(request, response, this.#connectionOf(request.socket), this.#trust));
  }

  /** What may take the connection over, and is answered by hand where it does not. */
  #serveAlone(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    try {
      response.assignSocket(socket);
    } catch {
      // The request before it on this connection is not answered yet: what comes behind an upgrade would be anybody's.
      socket.destroy();
      return;
    }
    const exchange = new Http1Exchange(request, response, this.#connectionOf(socket), this.#trust, head);
    if (this.#trust !== 'internal' && answeredBeforeHandlers(request, response)) return;
    this.#onExchange(exchange);
  }

  /** A method that the parser does not know is served; whatever else it could not read is refused. */
  #carryOnOrRefuse(error: ParseError, socket: Duplex): void {
    const carried = refused.has(socket) ? undefined : carryOnUnknownMethod(error, socket);
    if (carried === undefined) {
      refuse(error, socket);
      return;
    }
    refused.add(socket);
    this.#methods.set(carried.socket, carried.method);
    this.#connections.set(carried.socket, this.#connectionOf(socket as Socket));
    this.#server.emit('connection', carried.socket);
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

  #connectionOf(socket: Socket): PeerConnection {
    let connection = this.#connections.get(socket);
    if (connection === undefined) this.#connections.set(socket, (connection = new PeerConnection(socket)));
    return connection;
  }
}

/**
 * Answers what is no request. The rest of it is still taken in, or the client would see a reset instead of the answer.
 */
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

/** Whose parser has given up: what else it may say is of no interest. */
const refused = new WeakSet<Duplex>();

/** Only protocols that a proxy or stream can take; `Upgrade: h2c` and the like are served as plain requests. */
function isUpgrade(request: IncomingMessage): boolean {
  return /^(?:websocket|SPDY\/3\.1)$/i.test(request.headers.upgrade ?? '');
}
