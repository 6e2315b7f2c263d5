import { readFileSync } from 'node:fs';
import { connect, constants } from 'node:http2';
import type { IncomingHttpHeaders } from 'node:http2';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import type { Cluster } from './cluster.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  // Tests look into answers as they please.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
}

/** An answer without an end, such as a watch. */
export interface OpenAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Lines so far. */
  readonly lines: readonly string[];
  /** Resolves when so many lines have come; rejects when the answer ends before. */
  until(count: number): Promise<readonly string[]>;
  /** Resolves with `true` at an orderly end, `false` when the answer was cut off. */
  readonly ended: Promise<boolean>;
  close(): void;
}

export interface SendOptions {
  /** JSON unless it is text or bytes. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client on one protocol. A request that gets no answer rejects; nothing is sent twice. */
export interface ApiClient {
  send(method: string, path: string, options?: SendOptions): Promise<Answer>;
  open(path: string, headers?: Readonly<Record<string, string>>): Promise<OpenAnswer>;
  close(): void;
}

/** `admin`: the client certificate of the administrator; otherwise a bearer token, or nobody. */
export type Credentials = 'admin' | 'anonymous' | { readonly token: string };

/** Where a cluster is, and the folder of its certificates. */
export type ClusterAddress = Pick<Cluster, 'url' | 'pki'>;

export function http1Client(cluster: ClusterAddress, credentials: Credentials = 'admin'): ApiClient {
  const { host, tls, headers } = access(cluster, credentials);
  const agent = new Agent({ ...tls, keepAlive: true, maxSockets: 64 });
  const start = (method: string, path: string, more: SendOptions): Promise<Received> =>
    new Promise((resolve, reject) => {
      const body = bodyOf(more.body);
      const outgoing = request(
        { ...host, method, path, agent, headers: { ...headers, ...contentHeaders(body), ...more.headers } },
        (response) =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: response,
            cancel: () => outgoing.destroy(),
            complete: () => response.complete,
          }),
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  return { ...operations(start), close: () => agent.destroy() };
}

/**
 * What waits to be sent counts: at its 10 MB Node refuses the headers of an answer that comes before all of a body is
 * sent.
 */
const sessionMemoryMb = 64;
/** An answer may have more than 128 warnings: 4 KiB of them. */
const maxHeaderListPairs = 2_000;

export function http2Client(cluster: ClusterAddress, credentials: Credentials = 'admin'): ApiClient {
  const { tls, headers } = access(cluster, credentials);
  const session = connect(cluster.url, { ...tls, maxSessionMemory: sessionMemoryMb, maxHeaderListPairs });
  session.on('error', () => undefined);
  const start = (method: string, path: string, more: SendOptions): Promise<Received> =>
    new Promise((resolve, reject) => {
      const body = bodyOf(more.body);
      const stream = session.request(
        { ':method': method, ':path': path, ...headers, ...contentHeaders(body), ...more.headers },
        { endStream: body === undefined },
      );
      stream.on('response', (answer) =>
        resolve({
          status: answer[':status'] ?? 0,
          headers: answer,
          body: stream,
          cancel: () => stream.close(constants.NGHTTP2_CANCEL),
          complete: () => stream.rstCode === constants.NGHTTP2_NO_ERROR,
        }),
      );
      stream.on('error', reject);
      stream.on('close', () => reject(new Error(`no answer: ${stream.rstCode}`)));
      if (body !== undefined) stream.end(body);
    });
  return { ...operations(start), close: () => session.destroy() };
}

interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: NodeJS.ReadableStream;
  cancel(): void;
  /** Asked when the connection or stream is closed: whether all of it came. */
  complete(): boolean;
}

function operations(
  start: (method: string, path: string, more: SendOptions) => Promise<Received>,
): Pick<ApiClient, 'send' | 'open'> {
  return {
    async send(method, path, more = {}) {
      const { status, headers, body } = await start(method, path, more);
      const chunks: Buffer[] = [];
      for await (const chunk of body) chunks.push(chunk as Buffer);
      const bytes = Buffer.concat(chunks);
      return {
        status,
        headers,
        bytes,
        text: bytes.toString(),
        get json() {
          return JSON.parse(bytes.toString());
        },
      };
    },
    async open(path, headers = {}) {
      return new Lines(await start('GET', path, { headers }));
    },
  };
}

class Lines implements OpenAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly lines: string[] = [];
  readonly ended: Promise<boolean>;
  readonly #received: Received;
  #waiting: (() => void)[] = [];
  #over = false;

  constructor(received: Received) {
    this.#received = received;
    this.status = received.status;
    this.headers = received.headers;
    const decoder = new StringDecoder('utf8');
    let rest = '';
    received.body.on('data', (chunk: Buffer) => {
      const parts = (rest + decoder.write(chunk)).split('\n');
      rest = parts.pop() ?? '';
      this.lines.push(...parts);
      this.#tell();
    });
    this.ended = new Promise((resolve) => {
      received.body.on('error', () => undefined);
      received.body.on('close', () => {
        this.#over = true;
        this.#tell();
        resolve(received.complete());
      });
    });
  }

  async until(count: number): Promise<readonly string[]> {
    while (this.lines.length < count) {
      if (this.#over) throw new Error(`the answer ended after ${this.lines.length} of ${count} lines`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return this.lines;
  }

  close(): void {
    this.#received.cancel();
  }

  #tell(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

function access(cluster: ClusterAddress, credentials: Credentials) {
  const { hostname, port } = new URL(cluster.url);
  const file = (name: string): Buffer => readFileSync(join(cluster.pki, name));
  return {
    host: { host: hostname, port: Number(port) },
    tls: {
      ca: file('ca.crt'),
      ...(credentials === 'admin' ? { cert: file('admin.crt'), key: file('admin.key') } : {}),
    },
    headers: typeof credentials === 'object' ? { authorization: `Bearer ${credentials.token}` } : {},
  };
}

function bodyOf(body: unknown): string | Buffer | undefined {
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) return body;
  return JSON.stringify(body);
}

function contentHeaders(body: string | Buffer | undefined): Record<string, string> {
  return body === undefined
    ? {}
    : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
}
