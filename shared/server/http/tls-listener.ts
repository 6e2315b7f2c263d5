import { constants as http2Constants, createServer as createHttp2Server, type Http2Server, type ServerHttp2Session } from 'node:http2';
import { createServer as createNetServer, type AddressInfo, type Socket } from 'node:net';
import type { SecureVersion, TLSSocket } from 'node:tls';
import { tellHttpFromTls } from './first-bytes.ts';
import { Http2Exchange } from './http2-exchange.ts';
import { createHttp1Server } from './http1-server.ts';
import { checkIdleSession } from './idle-session.ts';
import { limits } from './limits.ts';
import type { ExchangeHandler, Listener } from './listener.ts';
import type { NamedCertificate } from './named-certificates.ts';
import { PeerConnection } from './peer-connection.ts';
import { StreamQueue } from './stream-queue.ts';
import { TlsDoors } from './tls-doors.ts';

export interface TlsListenerOptions {
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
  /** Certificates for single host names. Asked again with each new certificate. */
  readonly namedCertificates?: () => readonly NamedCertificate[];
  /** CAs whose names are offered to clients for the choice of their certificate; authentication judges it. Asked again with each new certificate. */
  readonly clientCas?: () => readonly (string | Buffer)[];
  /** Default 100, the reference's. */
  readonly maxConcurrentStreams?: number;
  /** HTTP/1.1 only. */
  readonly disableHttp2?: boolean;
  /** Default TLS 1.2. */
  readonly minVersion?: SecureVersion;
  /** Up to TLS 1.2, by their IANA names; default: the reference's. */
  readonly cipherSuites?: readonly string[];
  /** By Go's numbers; default: the reference's. */
  readonly keyExchanges?: readonly number[];
  readonly reusePort?: boolean;
  /** Of handshakes that failed: where from, and why. */
  readonly onHandshakeError?: (peer: string, error: Error) => void;
}

const anyStream = 2 ** 31 - 1;

/** HTTP/2 and HTTP/1.1 by ALPN on one port. HTTP/2 goes through the stream API, HTTP/1.1 through node:http. */
export async function listenTls(options: TlsListenerOptions, onExchange: ExchangeHandler): Promise<Listener> {
  const sessions = new Set<ServerHttp2Session>();
  const http1 = createHttp1Server('public', onExchange);
  const http2 = createHttp2(options, sessions, onExchange);
  const sockets = new Set<Socket>();
  const doors = new TlsDoors(options, (server) => {
    server.on('secureConnection', (socket) => {
      forgetVerdictOfOpenSsl(socket);
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      socket.setNoDelay(true);
      socket.setKeepAlive(true, limits.tcpKeepAliveMs);
      if (socket.alpnProtocol === 'h2') http2.emit('connection', socket);
      else http1.accept(socket);
    });
    server.on('tlsClientError', (error, socket) => {
      options.onHandshakeError?.(peerOf(socket), error);
      socket.destroy();
    });
  });
  const door = createNetServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    tellHttpFromTls(socket, () => doors.enter(socket));
  });
  await new Promise<void>((resolve, reject) => {
    door.once('error', reject);
    door.listen({ host: options.host, port: options.port, reusePort: options.reusePort ?? false, backlog: 1024 }, resolve);
  });
  const address = door.address() as AddressInfo;
  return {
    trust: 'public',
    host: options.host,
    port: address.port,
    path: '',
    async stopAccepting() {
      door.close();
      if (sockets.size === 0) return;
      http1.lastAnswers();
      // First only the wish: a GOAWAY that names the last stream would cut off those that cross it (RFC 9113 section 6.8).
      // One that was destroyed is here until it says so.
      for (const session of sessions) if (!session.destroyed) session.goaway(http2Constants.NGHTTP2_NO_ERROR, anyStream);
      await new Promise((resolve) => setTimeout(resolve, limits.farewellMs));
      for (const session of sessions) session.close();
      http1.closeIdle();
    },
    replaceCertificate: (cert, key) => doors.replaceCertificate(cert, key),
    destroy() {
      for (const socket of sockets) socket.destroy();
      door.close();
    },
  };
}

/**
 * What OpenSSL found wrong with the certificates of the client is still in its queue of errors here, in the midst of the
 * read that ended the handshake, and would be taken for a fault of the connection. Node.js empties that queue when it has
 * looked at a certificate.
 */
function forgetVerdictOfOpenSsl(socket: TLSSocket): void {
  socket.getPeerX509Certificate();
}

function peerOf({ remoteAddress = '', remotePort = 0 }: Socket): string {
  return remoteAddress.includes(':') ? `[${remoteAddress}]:${remotePort}` : `${remoteAddress}:${remotePort}`;
}

function createHttp2(options: TlsListenerOptions, sessions: Set<ServerHttp2Session>, onExchange: ExchangeHandler): Http2Server {
  const streams = options.maxConcurrentStreams ?? limits.http2Streams;
  const server = createHttp2Server({
    maxSessionMemory: limits.http2SessionMemoryMb,
    maxHeaderListPairs: limits.http2HeaderPairs,
    // A client may cancel all that it has under way, twice at once and then each second. What one turn of the event loop
    // reads of rapid resets stays small by it: with nghttp2's burst of 1,000 others waited 50 ms (CVE-2023-44487).
    streamResetBurst: 2 * streams,
    streamResetRate: streams,
    // Values with blanks around them would be left out in silence; Go takes them as they are.
    strictFieldWhitespaceValidation: false,
    settings: {
      maxConcurrentStreams: streams,
      maxFrameSize: limits.http2FrameBytes,
      initialWindowSize: limits.http2FrameBytes,
      // Over the limit that is answered with 431, so that there is something to answer.
      maxHeaderListSize: limits.headerBytes * 2,
    },
  });
  const queue = new StreamQueue();
  server.on('session', (session) => {
    const connection = new PeerConnection(session.socket);
    const whenRead = queue.connection();
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
    session.on('error', () => session.destroy());
    session.setLocalWindowSize(limits.http2FrameBytes * Math.min(streams, 100));
    session.setTimeout(limits.idleConnectionMs, () => checkIdleSession(session, connection.active));
    session.on('stream', (stream, headers, _flags, rawHeaders) => whenRead(stream, () => {
      const exchange = new Http2Exchange(stream, headers, rawHeaders, connection, 'public');
      if (headersTooLarge(rawHeaders)) exchange.send(431, { 'content-type': 'text/plain; charset=utf-8' }, '431 Request Header Fields Too Large');
      else onExchange(exchange);
    }));
  });
  server.on('sessionError', () => undefined);
  return server;
}

function headersTooLarge(rawHeaders: readonly string[]): boolean {
  let total = 0;
  for (const text of rawHeaders) total += text.length;
  return total > limits.headerBytes;
}
