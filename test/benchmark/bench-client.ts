import { Buffer } from 'node:buffer';
import { connect, type ClientHttp2Session, type ClientHttp2Stream, type OutgoingHttpHeaders } from 'node:http2';
import type { Measured } from './kbench.ts';

export const protobuf = 'application/vnd.kubernetes.protobuf';
const connections = 4;

/** A request with a body. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly body: Buffer;
}

/** A few HTTP/2 connections, taken in turn, as those of kbench. */
export class BenchClient {
  readonly #sessions: readonly ClientHttp2Session[];
  readonly #token: string;
  #next = 0;

  constructor({ url, token }: Measured) {
    this.#token = token;
    this.#sessions = Array.from({ length: connections }, () =>
      connect(url, { rejectUnauthorized: false, settings: { initialWindowSize: 4 * 1024 * 1024 } }),
    );
  }

  async send({ method, path, type, body }: Call): Promise<{ readonly status: number }> {
    const stream = this.#open({ ':method': method, ':path': path, 'content-type': type, accept: protobuf }, body);
    stream.resume();
    const [status] = await Promise.all([statusOf(stream), ended(stream)]);
    return { status };
  }

  async get(path: string, accept: string): Promise<Buffer> {
    const stream = this.#open({ ':path': path, accept });
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    await ended(stream);
    return Buffer.concat(chunks);
  }

  /** Resolves when the watch is open; `onFrames` is told how many whole frames came. */
  async watch(path: string, onFrames: (count: number) => void): Promise<ClientHttp2Stream> {
    const stream = this.#open({ ':path': path, accept: `${protobuf};stream=watch` });
    let rest: Buffer = Buffer.alloc(0);
    stream.on('data', (chunk: Buffer) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let at = 0;
      let count = 0;
      while (rest.length - at >= 4 && rest.length - at >= 4 + rest.readUInt32BE(at)) {
        at += 4 + rest.readUInt32BE(at);
        count++;
      }
      rest = rest.subarray(at);
      if (count > 0) onFrames(count);
    });
    const status = await statusOf(stream);
    if (status !== 200) throw new Error(`watch: ${status}`);
    return stream;
  }

  close(): void {
    for (const session of this.#sessions) session.destroy();
  }

  #open(headers: OutgoingHttpHeaders, body?: Buffer): ClientHttp2Stream {
    const session = this.#sessions[this.#next++ % connections] as ClientHttp2Session;
    const stream = session.request(
      { authorization: `Bearer ${this.#token}`, 'user-agent': 'bench', ...headers },
      { endStream: body === undefined },
    );
    if (body !== undefined) stream.end(body);
    return stream;
  }
}

function statusOf(stream: ClientHttp2Stream): Promise<number> {
  return new Promise((resolve, reject) => {
    stream.once('response', (headers) => resolve(Number(headers[':status'])));
    stream.once('error', reject);
  });
}

function ended(stream: ClientHttp2Stream): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.once('end', resolve);
    stream.once('error', reject);
  });
}
