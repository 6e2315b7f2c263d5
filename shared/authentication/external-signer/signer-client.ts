import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeMessage, encodeMessage } from '#shared/storage/etcd-wire/codec.ts';
import type { MessageType } from '#shared/storage/etcd-wire/message-type.ts';
import { GrpcError, grpcCodeName } from './grpc-error.ts';
import {
  signerMethods,
  type KeysAnswer,
  type MetadataAnswer,
  type SignAnswer,
  type SignerMethod,
} from './signer-messages.ts';

export interface SignerClientOptions {
  /** Path of a Unix socket; one in the abstract name space begins with `@`. */
  readonly endpoint: string;
  /** Told of each call: the name of its code, and its time in seconds. */
  readonly onCall?: (method: string, code: string, seconds: number) => void;
}

const service = 'v1.ExternalJWTSigner';
const reconnectMs = 100;
/** As Go's client: longer answers are errors. */
const maxAnswerBytes = 4 * 1024 * 1024;
const prefixBytes = 5;

/** Calls an external signer by gRPC on a Unix socket. A call waits until the signer listens, within its time. */
export class SignerClient {
  readonly #options: SignerClientOptions;
  #session: Promise<ClientHttp2Session> | undefined;
  #closed = false;

  constructor(options: SignerClientOptions) {
    this.#options = options;
  }

  /** `claims`: the payload in base64url. Rejects with {@link GrpcError}, as all calls. */
  sign(claims: string, timeoutMs: number): Promise<SignAnswer> {
    const { request, answer } = signerMethods.Sign;
    return this.#call('Sign', encodeMessage(request, { claims }), answer, timeoutMs);
  }

  fetchKeys(timeoutMs: number): Promise<KeysAnswer> {
    const { request, answer } = signerMethods.FetchKeys;
    return this.#call('FetchKeys', encodeMessage(request, {}), answer, timeoutMs);
  }

  metadata(timeoutMs: number): Promise<MetadataAnswer> {
    const { request, answer } = signerMethods.Metadata;
    return this.#call('Metadata', encodeMessage(request, {}), answer, timeoutMs);
  }

  close(): void {
    this.#closed = true;
    void this.#session?.then((session) => session.destroy()).catch(() => undefined);
  }

  async #call<T>(method: SignerMethod, request: Buffer, answer: MessageType<T>, timeoutMs: number): Promise<T> {
    const path = `/${service}/${method}`;
    const startMs = performance.now();
    let code = 'OK';
    try {
      const untilMs = startMs + timeoutMs;
      const session = await this.#connected(untilMs);
      const body = await unaryCall(session, path, request, untilMs - performance.now());
      return decoded(answer, body);
    } catch (error) {
      ({ code } = error instanceof GrpcError ? error : { code: 'Unknown' });
      throw error;
    } finally {
      this.#options.onCall?.(path, code, (performance.now() - startMs) / 1000);
    }
  }

  async #connected(untilMs: number): Promise<ClientHttp2Session> {
    for (;;) {
      try {
        return await (this.#session ??= this.#connect());
      } catch (error) {
        const leftMs = untilMs - performance.now();
        const reason = error instanceof Error ? error.message : String(error);
        if (leftMs <= 0 || this.#closed) throw new GrpcError('DeadlineExceeded', `the signer is away: ${reason}`);
        await sleep(Math.min(reconnectMs, leftMs));
      }
    }
  }

  /** node:http2 is loaded here: most servers have no external signer. */
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

function openSocket(endpoint: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const path = endpoint.startsWith('@') ? `\0${endpoint.slice(1)}` : endpoint;
    const socket = connect({ path }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** The message of the answer. */
function unaryCall(session: ClientHttp2Session, path: string, request: Buffer, timeoutMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let headers: IncomingHttpHeaders = {};
    let stream: ClientHttp2Stream;
    const fail = (code: string, description: string): void => {
      clearTimeout(timer);
      reject(new GrpcError(code, description));
      stream?.close();
    };
    const timer = setTimeout(() => fail('DeadlineExceeded', 'context deadline exceeded'), Math.max(0, timeoutMs));
    try {
      stream = session.request({
        ':method': 'POST',
        ':path': path,
        'content-type': 'application/grpc',
        te: 'trailers',
        'grpc-timeout': `${Math.max(1, Math.floor(timeoutMs))}m`,
      });
    } catch (error) {
      return fail('Unavailable', String(error));
    }
    const take = (more: IncomingHttpHeaders): void => void (headers = { ...headers, ...more });
    stream.on('response', take).on('trailers', take);
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxAnswerBytes + prefixBytes)
        fail('ResourceExhausted', `grpc: received message larger than max (${size} vs. ${maxAnswerBytes})`);
      else chunks.push(chunk);
    });
    stream.on('error', (error) => fail('Unavailable', error.message));
    stream.on('close', () => {
      clearTimeout(timer);
      const fault = faultOf(headers);
      if (fault !== undefined) reject(fault);
      else resolve(Buffer.concat(chunks));
    });
    stream.end(framed(request));
  });
}

function framed(message: Buffer): Buffer {
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/** The error that the headers and trailers of an answer tell. */
function faultOf(headers: IncomingHttpHeaders): GrpcError | undefined {
  const status = headers['grpc-status'];
  if (status === undefined) {
    const http = Number(headers[':status'] ?? 200);
    return http === 200
      ? new GrpcError('Unavailable', 'the answer broke off')
      : new GrpcError('Unknown', `unexpected HTTP status code received from server: ${http}`);
  }
  if (status === '0') return undefined;
  return new GrpcError(
    grpcCodeName(Number(status)) ?? `Code(${String(status)})`,
    percentDecoded(headers['grpc-message']),
  );
}

function percentDecoded(text: string | string[] | undefined): string {
  const given = String(text ?? '');
  try {
    return decodeURIComponent(given);
  } catch {
    return given;
  }
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
