import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { Readable } from 'node:stream';
import type { Exchange, IncomingHeaders, ListenerTrust, OutgoingHeaders, ResponseStream } from '../../request/exchange.ts';
import { bodyLength, collectBody, ExchangeBase } from './exchange-base.ts';
import type { PeerConnection } from './peer-connection.ts';

const { NGHTTP2_NO_ERROR, NGHTTP2_INTERNAL_ERROR } = constants;

/** Above this size chunks are written one by one instead of being joined. */
const joinBelowBytes = 32 * 1024;

/** An exchange on node:http2's stream API (the compatibility API costs about a fifth more). */
export class Http2Exchange extends ExchangeBase implements Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly httpVersion = '2.0';
  readonly headers: IncomingHeaders;
  readonly rawHeaders: readonly string[];
  readonly trust: ListenerTrust;
  readonly #stream: ServerHttp2Stream;
  readonly #connection: PeerConnection;
  #bodyRefused = false;

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, rawHeaders: readonly string[], connection: PeerConnection, trust: ListenerTrust) {
    super();
    this.#stream = stream;
    this.#connection = connection;
    this.headers = headers;
    this.rawHeaders = rawHeaders;
    this.trust = trust;
    this.method = headers[':method'] ?? 'GET';
    const target = headers[':path'] ?? '';
    const mark = target.indexOf('?');
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.query = mark < 0 ? '' : target.slice(mark + 1);
    connection.active++;
    stream.on('close', () => {
      connection.active--;
      this.markClosed();
    });
  }

  get remoteAddress(): string {
    return this.#connection.remoteAddress;
  }

  peerCertificates(): readonly Buffer[] | undefined {
    return this.#connection.peerCertificates();
  }

  get body(): Readable {
    return this.#stream;
  }

  async readBody(maxBytes: number): Promise<Buffer> {
    try {
      return await collectBody(this.#stream, this.headers['content-length'] as string | undefined, maxBytes);
    } catch (error) {
      this.#bodyRefused = true;
      throw error;
    }
  }

  override awaitsBody(listener: () => void): boolean {
    const stream = this.#stream;
    if (stream.endAfterHeaders || stream.readableEnded) return false;
    stream.once('end', listener);
    return true;
  }

  send(status: number, headers: OutgoingHeaders, body?: string | Uint8Array | readonly Uint8Array[]): void {
    const all = this.claim(status, headers);
    const stream = this.#stream;
    if (stream.destroyed || stream.closed) return;
    const length = bodyLength(body);
    all[':status'] = status;
    if (all['content-length'] === undefined && status !== 204 && status !== 304) all['content-length'] = length;
    this.#dropConnectionHeader(all);
    this.#endWithAnswer();
    if (body === undefined || length === 0 || this.method === 'HEAD') {
      stream.respond(all as never, { endStream: true });
      return;
    }
    stream.respond(all as never);
    if (typeof body === 'string' || body instanceof Uint8Array) stream.end(body);
    else if (length <= joinBelowBytes) stream.end(Buffer.concat(body, length));
    else {
      stream.cork();
      for (const chunk of body) stream.write(chunk);
      stream.end();
      stream.uncork();
    }
  }

  stream(status: number, headers: OutgoingHeaders): ResponseStream {
    const all = this.claim(status, headers);
    const stream = this.#stream;
    all[':status'] = status;
    this.#dropConnectionHeader(all);
    delete all['transfer-encoding'];
    if (!stream.destroyed && !stream.closed) {
      this.#endWithAnswer();
      if (this.method === 'HEAD') stream.respond(all as never, { endStream: true });
      // The end of the stream is ours to send then: Node would send it at an abort, and what was cut off would look whole.
      else stream.respond(all as never, { waitForTrailers: true });
    }
    return new Http2ResponseStream(stream);
  }

  /**
   * HTTP/2 has no such header; `close` means GOAWAY with the answer, as in Go: what is under way on the connection goes on,
   * and the client opens another one for what follows.
   */
  #dropConnectionHeader(headers: OutgoingHeaders): void {
    if (headers['connection'] === undefined) return;
    const { session } = this.#stream;
    if (headers['connection'] === 'close' && session !== undefined) setImmediate(() => session.close());
    delete headers['connection'];
  }

  /** What of the request's body did not come before the end of the answer is not waited for (RFC 9113 section 8.1). */
  #endWithAnswer(): void {
    const stream = this.#stream;
    if (stream.endAfterHeaders) return;
    stream.once('finish', () => {
      if (this.#bodyRefused || !stream.readableEnded) stream.close(NGHTTP2_NO_ERROR);
    });
  }

  get queuedBytes(): number {
    return this.#stream.writableLength;
  }

  dropClient(): void {
    if (!this.#stream.destroyed) this.#stream.close(NGHTTP2_INTERNAL_ERROR);
  }

  endNow(): void {
    if (this.responded && this.#stream.writable) this.#stream.end();
    else this.#stream.close(NGHTTP2_NO_ERROR);
  }

  abandon(): void {
    if (!this.#stream.destroyed && !this.#stream.writableEnded) this.#stream.close(NGHTTP2_INTERNAL_ERROR);
  }

  upgrade(): undefined {
    return undefined;
  }
}

class Http2ResponseStream implements ResponseStream {
  readonly #stream: ServerHttp2Stream;
  #trailers: OutgoingHeaders | undefined;
  #aborted = false;

  constructor(stream: ServerHttp2Stream) {
    this.#stream = stream;
    stream.on('wantTrailers', () => {
      if (!this.#aborted) stream.sendTrailers((this.#trailers ?? {}) as never);
    });
  }

  write(chunk: string | Uint8Array, written?: (error?: Error | null) => void): boolean {
    return this.#stream.writable ? this.#stream.write(chunk, written) : true;
  }

  get bufferedBytes(): number {
    return this.#stream.writableLength;
  }

  onDrain(listener: () => void): void {
    this.#stream.on('drain', listener);
  }

  end(trailers?: OutgoingHeaders): void {
    this.#trailers = trailers;
    if (this.#stream.writable) this.#stream.end();
  }

  abort(): void {
    this.#aborted = true;
    if (!this.#stream.destroyed) this.#stream.close(NGHTTP2_INTERNAL_ERROR);
  }
}
