import { createServer, ServerResponse, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ListenerTrust } from '../../request/exchange.ts';
import { hopUpgrade } from '../hop/hop-protocol.ts';
import { Http1Exchange } from './http1-exchange.ts';
import { limits } from './limits.ts';
import type { ExchangeHandler } from '../exchange/listener.ts';
import { PeerConnection } from './peer-connection.ts';
import { answeredBeforeHandlers } from './request-faults.ts';
import { carryOnUnknownMethod, type ParseError } from './unknown-method.ts';

/** Takes over a connection whose gateway speaks the frames of `shared/server/hop` from here on. */
export type HopHandler = (socket: Socket, head: Buffer) => void;

export interface Http1Server {
  accept(socket: Socket): void;
  /** Every answer from now on, of requests under way too, says that it is the connection's last. */
  lastAnswers(): void;
  closeIdle(): void;
}

/**
 * A node:http server that is not listening itself: sockets are handed to it. On the internal hop the peer is our own
 * gateway, so idle connections live on and answers carry no date.
 */
export function createHttp1Server(trust: ListenerTrust, onExchange: ExchangeHandler, onHop?: HopHandler): Http1Server {
  const connections = new WeakMap<Duplex, PeerConnection>();
  const connectionOf = (socket: Socket): PeerConnection => {
    let connection = connections.get(socket);
    if (!connection) connections.set(socket, (connection = new PeerConnection(socket)));
    return connection;
  };
  const internal = trust === 'internal';
  const underWay = new Set<ServerResponse>();
  /** Sockets whose first request has another method than its parser was told. */
  const methods = new WeakMap<Duplex, string>();
  let ending = false;
  const server: Server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: internal ? 0 : limits.headersMs,
      requestTimeout: 0,
      keepAliveTimeout: internal ? 0 : limits.idleConnectionMs,
      connectionsCheckingInterval: 10_000,
      noDelay: !internal,
      requireHostHeader: false,
      shouldUpgradeCallback: (request) =>
        isUpgrade(request) || (onHop !== undefined && request.headers.upgrade === hopUpgrade),
    },
    (request, response) => {
      if (internal) response.sendDate = false;
      else if (answeredBeforeHandlers(request, response)) return;
      const method = methods.get(request.socket);
      if (method !== undefined) request.method = method;
      if (ending || method !== undefined) response.shouldKeepAlive = false;
      underWay.add(response);
      response.on('close', () => underWay.delete(response));
      onExchange(new Http1Exchange(request, response, connectionOf(request.socket), trust));
    },
  );
  server.on('clientError', (error: ParseError, socket: Duplex) => {
    const carried = refused.has(socket) ? undefined : carryOnUnknownMethod(error, socket);
    if (carried === undefined) return refuse(error, socket);
    refused.add(socket);
    methods.set(carried.socket, carried.method);
    connections.set(carried.socket, connectionOf(socket as Socket));
    server.emit('connection', carried.socket);
  });
  /** What may take the connection over, and is answered by hand where it does not. */
  const serveAlone = (request: IncomingMessage, socket: Socket, head: Buffer): void => {
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    try {
      response.assignSocket(socket);
    } catch {
      // The request before it on this connection is not answered yet: what comes behind an upgrade would be anybody's.
      socket.destroy();
      return;
    }
    response.on('finish', () => socket.end());
    if (!internal && answeredBeforeHandlers(request, response)) return;
    onExchange(new Http1Exchange(request, response, connectionOf(socket), trust, head));
  };
  server.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    serveAlone(request, socket, head);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (onHop !== undefined && request.headers.upgrade === hopUpgrade) {
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${hopUpgrade}\r\n\r\n`);
      onHop(socket, head);
      return;
    }
    serveAlone(request, socket, head);
  });
  // The check of header time-outs and idle connections starts with this event, and this server never listens itself.
  server.emit('listening');
  return {
    accept: (socket) => void server.emit('connection', socket),
    lastAnswers() {
      ending = true;
      for (const response of underWay) response.shouldKeepAlive = false;
    },
    closeIdle: () => server.closeIdleConnections(),
  };
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
