import * as http from 'node:http';
import * as http2 from 'node:http2';
import type { ServerHttp2Stream } from 'node:http2';
import * as net from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { isStreamMethod, isUnaryMethod } from '../../../shared/storage/etcd-wire/method-table.ts';
import type { EtcdService } from '../../../shared/storage/etcd-wire/service.ts';
import { EtcdRpcError, grpcCode } from '../../../shared/storage/etcd-wire/transport.ts';
import { failCall, openAnswer, serveStream, serveUnary } from './grpc-call.ts';
import { writeGrpcHead } from './grpc-framing.ts';
import { answerPlain } from './plain-endpoints.ts';

export interface GrpcTls extends SecureContextOptions {
  requestCert: boolean;
  rejectUnauthorized: boolean;
}

const windowBytes = 1024 * 1024;
const sessionWindowBytes = 8 * 1024 * 1024;

const sessionOptions = {
  settings: { initialWindowSize: windowBytes, maxConcurrentStreams: 0xffff_ffff },
  // Node's guards are made for browsers: a client of etcd holds thousands of streams on one connection and resets many.
  maxSessionMemory: 1024,
  streamResetBurst: 100_000,
  streamResetRate: 10_000,
};

const healthServing = Buffer.from([0, 0, 0, 0, 2, 0x08, 1]);

/** The API over gRPC, and `/health` and `/version` over HTTP/1.1 on the same port. */
export class GrpcServer {
  readonly #service: EtcdService;
  readonly #listener: net.Server | http2.Http2SecureServer;
  readonly #sockets = new Set<net.Socket>();

  constructor(service: EtcdService, tls: GrpcTls | undefined) {
    this.#service = service;
    this.#listener = tls === undefined ? this.#plainListener() : this.#secureListener(tls);
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
        resolve();
      });
    });
    return (this.#listener.address() as net.AddressInfo).port;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#listener.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #plainListener(): net.Server {
    const h2 = http2.createServer(sessionOptions);
    this.#serve(h2);
    const h1 = http.createServer((request, response) => answerPlain(this.#service, request, response));
    return net.createServer((socket) => {
      // Both protocols share the port: HTTP/2 with prior knowledge opens with "PRI ".
      socket.once('data', (chunk: Buffer) => {
        socket.pause();
        socket.unshift(chunk);
        if (chunk[0] === 0x50 && chunk[1] === 0x52) {
          // The session takes what was put back by itself; a resumed socket would drop it.
          h2.emit('connection', socket);
        } else {
          h1.emit('connection', socket);
          socket.resume();
        }
      });
    });
  }

  #secureListener(tls: GrpcTls): http2.Http2SecureServer {
    const server = http2.createSecureServer({ ...sessionOptions, ...tls, allowHTTP1: true });
    server.on('request', (request, response) => {
      if (request.httpVersionMajor === 1) answerPlain(this.#service, request as unknown as http.IncomingMessage, response as unknown as http.ServerResponse);
    });
    this.#serve(server);
    return server;
  }

  #serve(server: http2.Http2Server | http2.Http2SecureServer): void {
    server.on('session', (session) => {
      session.setLocalWindowSize(sessionWindowBytes);
      session.on('error', () => session.destroy());
    });
    server.on('sessionError', () => {});
    server.on('stream', (stream, headers) => this.#onStream(stream, headers));
  }

  #onStream(stream: ServerHttp2Stream, headers: http2.IncomingHttpHeaders): void {
    stream.on('error', () => {});
    const path = headers[':path'] ?? '';
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
