import type { ClientHttp2Session } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { getSystemErrorMessage } from 'node:util';
import { outsideSpans } from '#shared/spans/active-span.ts';
import { decodeMessage, encodeMessage, type Encodable } from '#shared/storage/etcd-wire/codec.ts';
import type { MessageType } from '#shared/storage/etcd-wire/message-type.ts';
import { GrpcError } from './grpc-error.ts';
import { prefixBytes, unaryCall } from './unary-call.ts';

export interface UnixGrpcClientOptions {
  /** Path of a Unix socket; one in the abstract name space begins with `@`. */
  readonly endpoint: string;
  /** Told of each call: its path, the name of its code, and its time in seconds. */
  readonly onCall?: ((path: string, code: string, seconds: number) => void) | undefined;
}

/** A call with one message each way. */
export interface GrpcMethod<Request, Answer> {
  /** `/package.Service/Method`. */
  readonly path: string;
  readonly request: MessageType<Request>;
  readonly answer: MessageType<Answer>;
}

const reconnectMs = 100;

/** Makes calls of gRPC on one connection to a Unix socket. A call waits within its time until somebody listens. */
export class UnixGrpcClient {
  readonly #options: UnixGrpcClientOptions;
  #session: Promise<ClientHttp2Session> | undefined;
  #closed = false;

  constructor(options: UnixGrpcClientOptions) {
    this.#options = options;
  }

  /** Rejects with {@link GrpcError}. */
  async call<Request, Answer>(
    method: GrpcMethod<Request, Answer>,
    request: Encodable<Request>,
    timeoutMs: number,
  ): Promise<Answer> {
    const startMs = performance.now();
    let code = 'OK';
    try {
      const untilMs = startMs + timeoutMs;
      const message = encodeMessage(method.request, request);
      const session = await this.#connected(untilMs);
      const body = await unaryCall(session, method.path, message, untilMs - performance.now());
      return decoded(method.answer, body);
    } catch (error) {
      ({ code } = error instanceof GrpcError ? error : { code: 'Unknown' });
      throw error;
    } finally {
      this.#options.onCall?.(method.path, code, (performance.now() - startMs) / 1000);
    }
  }

  close(): void {
    this.#closed = true;
    void this.#session?.then((session) => session.destroy()).catch(() => undefined);
  }

  async #connected(untilMs: number): Promise<ClientHttp2Session> {
    for (;;) {
      try {
        return await (this.#session ??= outsideSpans(() => this.#connect()));
      } catch (error) {
        const leftMs = untilMs - performance.now();
        if (leftMs <= 0 || this.#closed)
          throw new GrpcError('DeadlineExceeded', unreachable(this.#options.endpoint, error));
        await sleep(Math.min(reconnectMs, leftMs));
      }
    }
  }

  /** node:http2 is loaded here: most servers make no such calls. */
  async #connect(): Promise<ClientHttp2Session> {
    const forget = (): void => void (this.#session = undefined);
    try {
      const [{ connect: connectHttp2 }, socket] = await Promise.all([
        import('node:http2'),
        openSocket(this.#options.endpoint),
      ]);
      const session = connectHttp2('http://localhost', { createConnection: () => socket });
      // The calls under way tell of errors.
      session.on('error', () => undefined);
      session.on('close', forget);
      session.on('goaway', forget);
      session.unref();
      return session;
    } catch (error) {
      forget();
      throw error;
    }
  }
}

/** As grpc-go says it of a call that waited for a connection in vain. */
function unreachable(endpoint: string, error: unknown): string {
  const { errno, message } = error as NodeJS.ErrnoException;
  const reason = errno === undefined ? message : getSystemErrorMessage(errno);
  return `latest balancer error: connection error: desc = "transport: Error while dialing: dial unix ${endpoint}: connect: ${reason}"`;
}

function openSocket(endpoint: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const path = endpoint.startsWith('@') ? `\0${endpoint.slice(1)}` : endpoint;
    const socket = connect({ path }, () => resolve(socket));
    socket.once('error', reject);
  });
}

function decoded<T>(type: MessageType<T>, body: Buffer): T {
  const isWhole = body.length >= prefixBytes && body[0] === 0 && body.readUInt32BE(1) === body.length - prefixBytes;
  if (!isWhole) throw new GrpcError('Internal', 'the answer is no single message without compression');
  try {
    return decodeMessage(type, body, prefixBytes);
  } catch (error) {
    throw new GrpcError('Internal', `grpc: failed to unmarshal the received message: ${(error as Error).message}`);
  }
}
