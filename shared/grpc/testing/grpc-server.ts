import { mkdtempSync, rmSync } from 'node:fs';
import {
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prefixedMessage, prefixBytes } from '#shared/grpc/unary-call.ts';

/** What a call fails with. */
export interface GrpcFailure {
  readonly code: number;
  readonly description: string;
}

/** Answers a call: the encoded message, a failure, or undefined for no answer ever. */
export type AnswerCall = (path: string, message: Buffer) => Uint8Array | GrpcFailure | undefined;

/** A server of gRPC on a Unix socket, for tests: one message each way, by the HTTP/2 of Node.js. */
export class GrpcServer {
  readonly socket: string;
  readonly #folder: string;
  readonly #answer: AnswerCall;
  #server: Http2Server | undefined;
  readonly #sessions = new Set<ServerHttp2Session>();

  constructor(answer: AnswerCall) {
    this.#folder = mkdtempSync(join(tmpdir(), 'grpc-'));
    this.socket = join(this.#folder, 'socket');
    this.#answer = answer;
  }

  async open(): Promise<void> {
    const server = (this.#server = createServer());
    server.on('session', (session) => {
      this.#sessions.add(session);
      session.on('close', () => this.#sessions.delete(session));
    });
    server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => this.#take(stream, headers));
    await new Promise<void>((resolve) => server.listen(this.socket, resolve));
  }

  /** As if its process had been killed: calls break off, and nobody listens. `open` starts it again. */
  async kill(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const session of this.#sessions) session.destroy();
    await closed;
  }

  async close(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #take(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const chunks: Buffer[] = [];
    stream.on('error', () => undefined);
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const message = Buffer.concat(chunks).subarray(prefixBytes);
      const answer = this.#answer(headers[':path'] ?? '', message);
      if (answer !== undefined) send(stream, answer);
    });
  }
}

function send(stream: ServerHttp2Stream, answer: Uint8Array | GrpcFailure): void {
  const head = { ':status': 200, 'content-type': 'application/grpc' };
  if ('description' in answer) {
    stream.respond({ ...head, 'grpc-status': answer.code, 'grpc-message': encodeURIComponent(answer.description) });
    return void stream.end();
  }
  stream.respond(head, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(prefixedMessage(answer));
}
