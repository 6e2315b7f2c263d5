import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { ServerConnection } from '#shared/http2/server-connection.ts';
import type { Http2Stream } from '#shared/http2/server-stream.ts';
import { processRegistry } from '#shared/observability/metrics/process-registry.ts';
import type { ExchangeHandler, Listener } from '#shared/server/exchange/listener.ts';
import { detectProtocol } from './detect-protocol.ts';
import { Door } from './door.ts';
import { createHttp1Server } from './http1-server.ts';
import { Http2Exchange } from './http2-exchange.ts';
import { checkIdleSession } from './idle-session.ts';
import { IdleWatch } from './idle-watch.ts';
import { limits } from './limits.ts';
import { ListenerSockets } from './listener-sockets.ts';
import { PeerConnection } from './peer-connection.ts';
import { StreamQueue } from './stream-queue.ts';
import type { TlsListenerOptions } from './tls-listener-options.ts';
import { TlsServers } from './tls-servers.ts';

const handshakeErrors = processRegistry
  .counter(
    'apiserver_tls_handshake_errors_total',
    "[ALPHA] Number of requests dropped with 'TLS handshake error from' error",
    [],
  )
  .of();

/** HTTP/2 and HTTP/1.1 by ALPN on one port. HTTP/2 is implemented in shared/http2, HTTP/1.1 uses node:http. */
export async function listenTls(options: TlsListenerOptions, onExchange: ExchangeHandler): Promise<Listener> {
  const tellFailure = failureTeller(options);
  const connections = new Set<ServerConnection>();
  const http1 = createHttp1Server('public', onExchange);
  const serveHttp2 = http2Server(options, connections, onExchange);
  const sockets = new ListenerSockets();
  const servers = new TlsServers(options, (server) => {
    server.on('secureConnection', (socket) => {
      forgetVerdictOfOpenSsl(socket);
      sockets.addSecure(socket);
      socket.setNoDelay(true);
      socket.setKeepAlive(limits.tcpKeepAlive);
      if (socket.alpnProtocol === 'h2') serveHttp2(socket);
      else http1.accept(socket);
    });
    server.on('tlsClientError', (error, socket) => void tellFailure(socket, reasonOf(error)).destroy());
  });
  const accept = (socket: Socket): void => {
    sockets.addPlain(socket);
    detectProtocol(
      socket,
      () => servers.accept(socket),
      () => tellFailure(socket, 'client sent an HTTP request to an HTTPS server'),
    );
  };
  const door = options.door ?? new Door(options);
  if (options.door === undefined) await door.open();
  if (options.servesAfter === undefined) await door.serve(accept);
  else void options.servesAfter.catch(() => undefined).then(() => door.serve(accept));
  return {
    trust: 'public',
    host: options.host,
    port: door.port,
    path: '',
    async stopAccepting() {
      door.close();
      options.onNotAccepting?.();
      if (sockets.isEmpty) return;
      http1.lastAnswers();
      // The end is announced first: a GOAWAY with the last stream at once would refuse streams that the client is just
      // opening (RFC 9113 section 6.8).
      for (const connection of connections) connection.announceEnd();
      await new Promise((resolve) => setTimeout(resolve, limits.farewellMs));
      for (const connection of connections) connection.close();
      http1.closeIdle();
    },
    get isSending() {
      return sockets.isSending;
    },
    replaceCertificate: (cert, key) => servers.replaceCertificate(cert, key),
    destroy() {
      http1.close();
      door.close();
      sockets.destroy();
    },
    ended: () => sockets.ended,
  };
}

/**
 * Clears the error queue of OpenSSL. During the read that ended the handshake, it still holds the errors about the
 * client's certificates, which would be taken for an error of the connection. Node.js clears the queue when it reads a
 * certificate.
 */
function forgetVerdictOfOpenSsl(socket: TLSSocket): void {
  socket.getPeerX509Certificate();
}

/** OpenSSL's reason alone: its messages name files and lines of its source. */
function reasonOf(error: Error & { readonly reason?: string }): string {
  return error.reason ?? error.message;
}

function peerOf({ remoteAddress = '', remotePort = 0 }: Socket): string {
  return remoteAddress.includes(':') ? `[${remoteAddress}]:${remotePort}` : `${remoteAddress}:${remotePort}`;
}

/** @returns a function that serves a connection */
function http2Server(
  options: TlsListenerOptions,
  connections: Set<ServerConnection>,
  onExchange: ExchangeHandler,
): (socket: Socket) => void {
  const maxConcurrentStreams = options.maxConcurrentStreams ?? limits.http2Streams;
  const queue = new StreamQueue();
  const idle = new IdleWatch(limits.idleConnectionMs);
  return (socket) => {
    const peer = new PeerConnection(socket);
    const whenRead = queue.connection();
    const begin = (stream: Http2Stream): void => {
      const exchange = new Http2Exchange(stream, peer, 'public', () => connection.close());
      const { refusal } = stream.head;
      if (refusal === undefined) onExchange(exchange);
      else exchange.send(refusal.status, { 'content-type': 'text/plain; charset=utf-8' }, refusal.text);
    };
    const connection = new ServerConnection(socket, {
      maxConcurrentStreams,
      frameBytes: limits.http2FrameBytes,
      windowBytes: limits.http2FrameBytes * Math.min(maxConcurrentStreams, 100),
      headerBytes: limits.headerBytes,
      onStream: (stream) => whenRead(stream, begin),
      onClose: () => connections.delete(connection),
      onError: (error) => options.onFault?.(peerOf(socket), error),
    });
    connections.add(connection);
    idle.add(socket, () => checkIdleSession(connection, peer.active));
  };
}

/** Counts handshakes that fail, and tells of them. */
function failureTeller({ onHandshakeError }: TlsListenerOptions): (socket: Socket, reason: string) => Socket {
  return (socket, reason) => {
    handshakeErrors.value++;
    onHandshakeError?.(peerOf(socket), reason);
    return socket;
  };
}
