import * as http from 'node:http';
import * as http2 from 'node:http2';
import type { ServerHttp2Stream } from 'node:http2';
import * as net from 'node:net';
import * as tls from 'node:tls';
import { framesUpgrade } from '#shared/storage/etcd-wire/frame-dial.ts';
import { serveFrames } from '#shared/storage/etcd-wire/frame-server.ts';
import { isStreamMethod, isUnaryMethod } from '#shared/storage/etcd-wire/method-table.ts';
import type { EtcdService } from '#shared/storage/etcd-wire/service.ts';
import { EtcdRpcError, grpcCode } from '#shared/storage/etcd-wire/transport.ts';
import { sendCloseNotify } from '#shared/tls/close-notify.ts';
import { failCall, openAnswer, serveStream, serveUnary } from './grpc-call.ts';
import { writeGrpcHead } from './grpc-framing.ts';
import { answerHttp1, answerHttp2 } from './plain-endpoints.ts';

export interface GrpcTls extends tls.SecureContextOptions {
  requestCert: boolean;
  rejectUnauthorized: boolean;
}

const windowBytes = 1024 * 1024;
const sessionWindowBytes = 8 * 1024 * 1024;

const sessionOptions = {
  settings: { initialWindowSize: windowBytes, maxConcurrentStreams: 0xffff_ffff },
  // Node's default limits are made for browsers; an etcd client has thousands of streams on one connection and resets
  // many.
  maxSessionMemory: 1024,
  streamResetBurst: 100_000,
  streamResetRate: 10_000,
};

const healthServing = Buffer.from([0, 0, 0, 0, 2, 0x08, 1]);

/**
 * Serves on one port the API over gRPC, `/health` and `/version` over HTTP/1.1, and frames after an HTTP/1.1 upgrade.
 */
export class GrpcServer {
  readonly #service: EtcdService;
  readonly #listener: net.Server | tls.Server;
  readonly #sockets = new Set<net.Socket>();
  readonly #secure = new Set<tls.TLSSocket>();

  constructor(service: EtcdService, secure: GrpcTls | undefined) {
    this.#service = service;
    this.#listener = secure === undefined ? this.#plainListener() : this.#secureListener(secure);
    this.#listener.on('connection', (socket: net.Socket) => {
      socket.setNoDelay(true);
      this.#sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** @returns the port that was bound */
  async listen(host: string, port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#listener.once('error', reject);
      this.#listener.listen(port, host, () => {
        this.#listener.off('error', reject);
        // Without a free file descriptor a new connection fails; existing ones continue.
        this.#listener.on('error', () => undefined);
        resolve();
      });
    });
    return (this.#listener.address() as net.AddressInfo).port;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#listener.close(() => resolve()));
    // Their farewells go through the sockets below, which are among the others.
    const farewells = [...this.#secure].map(
      (socket) => new Promise((resolve) => socket.once('close', resolve).destroy()),
    );
    await Promise.all(farewells);
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #plainListener(): net.Server {
    const h2 = this.#http2Server();
    const h1 = this.#http1Server();
    return net.createServer((socket) => {
      // Both protocols share the port: HTTP/2 with prior knowledge opens with "PRI ".
      socket.once('data', (chunk: Buffer) => {
        socket.pause();
        socket.unshift(chunk);
        if (chunk[0] === 0x50 && chunk[1] === 0x52) {
          // The HTTP/2 session reads the unshifted bytes by itself; resuming the socket would lose them.
          h2.emit('connection', socket);
        } else {
          h1.emit('connection', socket);
          socket.resume();
        }
      });
    });
  }

  /** Own TLS listener: Node's secure server with both protocols would create a request object for every call. */
  #secureListener(options: GrpcTls): tls.Server {
    const h2 = this.#http2Server();
    const h1 = this.#http1Server();
    const server = tls.createServer({ ...options, ALPNProtocols: ['h2', 'http/1.1'] }, (socket) => {
      sendCloseNotify(socket);
      this.#secure.add(socket);
      socket.once('close', () => this.#secure.delete(socket));
      socket.on('error', () => socket.destroy());
      (socket.alpnProtocol === 'h2' ? h2 : h1).emit('connection', socket);
    });
    return server.on('tlsClientError', (_error, socket) => socket.destroy());
  }

  #http1Server(): http.Server {
    const server = http.createServer(
      { shouldUpgradeCallback: ({ headers }) => headers.upgrade === framesUpgrade },
      (request, response) => answerHttp1(this.#service, request, response),
    );
    // Other processes of this project use frames, which need half the CPU of gRPC and fewer turns of the event loop.
    return server.on('upgrade', (_request, socket, head) => {
      if (head.length > 0) socket.unshift(head);
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${framesUpgrade}\r\n\r\n`);
      serveFrames(socket as net.Socket, this.#service);
    });
  }

  #http2Server(): http2.Http2Server {
    const server = http2.createServer(sessionOptions);
    server.on('session', (session) => {
      session.setLocalWindowSize(sessionWindowBytes);
      session.on('error', () => session.destroy());
    });
    server.on('sessionError', () => {});
    server.on('stream', (stream, headers) => this.#onStream(stream as ServerHttp2Stream, headers));
    return server;
  }

  #onStream(stream: ServerHttp2Stream, headers: http2.IncomingHttpHeaders): void {
    stream.on('error', () => {});
    const path = headers[':path'] ?? '';
    if (headers[':method'] === 'GET') return answerHttp2(this.#service, stream, path);
    if (headers[':method'] !== 'POST' || headers['content-type']?.startsWith('application/grpc') !== true) {
      stream.respond({ ':status': headers[':method'] === 'POST' ? 415 : 405 }, { endStream: true });
      return;
    }
    if (path.startsWith('/grpc.health.v1.Health/')) return serveHealth(stream, path);
    const method = path.startsWith('/etcdserverpb.') ? path.slice('/etcdserverpb.'.length) : '';
    if (isUnaryMethod(method)) serveUnary(stream, this.#service, method);
    else if (isStreamMethod(method)) serveStream(stream, this.#service, method);
    else failCall(stream, unknownMethod(path));
  }
}

function unknownMethod(path: string): EtcdRpcError {
  const [, service = '', name = ''] = path.split('/');
  return new EtcdRpcError(grpcCode.unimplemented, `unknown method ${name} for service ${service}`);
}

function serveHealth(stream: ServerHttp2Stream, path: string): void {
  const watch = path.endsWith('/Watch');
  if (!watch && !path.endsWith('/Check')) return failCall(stream, unknownMethod(path));
  stream.resume();
  openAnswer(stream);
  stream.write(writeGrpcHead(Buffer.from(healthServing)));
  if (!watch) stream.end();
}
