import type { Readable } from 'node:stream';
import { failureStatus } from '#shared/apimachinery/errors/status.ts';
import { errorCode } from '#shared/http2/frames.ts';
import type { Http2Stream, Http2StreamListener } from '#shared/http2/server-stream.ts';
import type { BodyFlow } from '#shared/request/body-flow.ts';
import type {
  Exchange,
  IncomingHeaders,
  ListenerTrust,
  OutgoingHeaders,
  ResponseStream,
} from '#shared/request/exchange.ts';
import { ExchangeBase } from '#shared/server/exchange/exchange-base.ts';
import { Http2BodyFlow } from './http2-body-flow.ts';
import { BodyStream, collectRequestBody, type BodyListeners } from './http2-body.ts';
import { answerFields, informationFields, trailerFields } from './http2-fields.ts';
import type { PeerConnection } from './peer-connection.ts';

/**
 * With this many queued bytes the writer of a streamed answer must wait until they are sent. Half of the first window
 * of a backend (`hopFirstAnswerBytes`), so that a backend gets no further room for a client that reads nothing.
 */
const queueBytes = 32 * 1024;
const noBytes: Buffer = Buffer.alloc(0);

/** An exchange on a stream of the HTTP/2 implementation in shared/http2. */
export class Http2Exchange extends ExchangeBase implements Exchange, BodyListeners, Http2StreamListener {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly httpVersion = '2.0';
  readonly headers: IncomingHeaders;
  readonly rawHeaders: readonly string[];
  readonly trust: ListenerTrust;
  readonly expectsContinue: boolean;
  readonly #stream: Http2Stream;
  readonly #connection: PeerConnection;
  readonly #endConnection: () => void;
  #body: BodyStream | undefined;
  /** Whether the client waits for 100 with its body. */
  #isToAsk: boolean;
  #whenRead: (() => void) | undefined;

  /** @param endConnection closes the connection after the requests under way */
  constructor(stream: Http2Stream, connection: PeerConnection, trust: ListenerTrust, endConnection: () => void) {
    super();
    this.#stream = stream;
    this.#connection = connection;
    this.#endConnection = endConnection;
    const { headers, rawHeaders } = stream.head;
    this.headers = headers;
    this.rawHeaders = rawHeaders;
    this.trust = trust;
    this.method = headers[':method'] as string;
    const target = (headers[':path'] as string | undefined) ?? '';
    const mark = target.indexOf('?');
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.query = mark < 0 ? '' : target.slice(mark + 1);
    this.expectsContinue = stream.body !== undefined && isContinue(headers['expect']);
    this.#isToAsk = this.expectsContinue;
    connection.active++;
    stream.listener = this;
  }

  streamClosed(): void {
    this.#connection.active--;
    this.markClosed();
  }

  /** After the end of the answer, the rest of the request's body is not awaited (RFC 9113 section 8.1). */
  streamAnswered(): void {
    this.#stream.reset(errorCode.none);
  }

  get remoteAddress(): string {
    return this.#connection.remoteAddress;
  }

  get remotePort(): number {
    return this.#connection.remotePort;
  }

  peerCertificates(): readonly Buffer[] | undefined {
    return this.#connection.peerCertificates();
  }

  get hasBody(): boolean {
    return this.#stream.body !== undefined && this.headers['content-length'] !== '0';
  }

  get body(): Readable {
    return (this.#body ??= new BodyStream(this.#stream.body, this));
  }

  override bodyFlow(): BodyFlow {
    const { body } = this.#stream;
    return body === undefined ? super.bodyFlow() : new Http2BodyFlow(body, this);
  }

  async readBody(maxBytes: number): Promise<Buffer> {
    const { body } = this.#stream;
    if (body === undefined) return noBytes;
    const declaredLength = this.headers['content-length'] as string | undefined;
    const bytes = await collectRequestBody(body, declaredLength, maxBytes, () => this.onWanted());
    this.onRead();
    return bytes;
  }

  /** The body's reader has all of it. */
  onRead(): void {
    this.#whenRead?.();
  }

  /** The body's reader wants more of it. */
  onWanted(): void {
    if (!this.#isToAsk) return;
    this.#isToAsk = false;
    if (!this.responded) this.#stream.inform(informationFields(100, {}));
  }

  /** Answers a request whose body is shorter than announced: a handler that passes the body on cannot detect this. */
  onShort(why: string): void {
    if (!this.responded)
      this.send(500, { 'content-type': 'application/json' }, `${JSON.stringify(failureStatus(500, '', why))}\n`);
  }

  override awaitsBody(listener: () => void): boolean {
    const { body } = this.#stream;
    if (body === undefined || body.ended) return false;
    this.#whenRead = listener;
    return true;
  }

  inform(status: number, headers: OutgoingHeaders): void {
    if (!this.responded) this.#stream.inform(informationFields(status, headers));
  }

  send(status: number, headers: OutgoingHeaders, body?: string | Uint8Array | readonly Uint8Array[]): void {
    const all = this.claim(status, headers);
    const held = this.complete();
    if (held === undefined) this.#write(status, all, body);
    else this.afterwards(held, () => this.#write(status, all, body));
  }

  #write(status: number, all: OutgoingHeaders, body: AnswerBody): void {
    const stream = this.#stream;
    if (stream.closed) return;
    const chunks = body === undefined ? [] : chunksOf(body);
    let length = 0;
    for (const chunk of chunks) length += chunk.length;
    this.answerBytes = length;
    if (all['content-length'] === undefined && status !== 204 && status !== 304) all['content-length'] = length;
    this.#heedClose(all);
    const isEmpty = length === 0 || this.method === 'HEAD';
    stream.respond(answerFields(status, all), isEmpty);
    if (!isEmpty) stream.endWith(chunks);
  }

  stream(status: number, headers: OutgoingHeaders): ResponseStream {
    const all = this.claim(status, headers);
    this.#heedClose(all);
    this.#stream.respond(answerFields(status, all), this.method === 'HEAD');
    return new Http2ResponseStream(this.#stream, this);
  }

  /**
   * HTTP/2 has no `Connection` header. As in Go, `close` sends a GOAWAY with the answer: requests under way continue,
   * and the client opens another connection for new ones.
   */
  #heedClose(headers: OutgoingHeaders): void {
    if (headers['connection'] === 'close') this.#endConnection();
  }

  get queuedBytes(): number {
    return this.#stream.queuedBytes;
  }

  dropClient(): void {
    this.#stream.reset(errorCode.internal);
  }

  endNow(): void {
    if (!this.responded || !this.#stream.writable) return this.#stream.reset(errorCode.none);
    const held = this.complete();
    if (held === undefined) this.#stream.end();
    else this.afterwards(held, () => this.#stream.writable && this.#stream.end());
  }

  abandon(): void {
    if (this.#stream.writable) this.#stream.reset(errorCode.internal);
  }

  upgrade(): undefined {
    return undefined;
  }
}

type AnswerBody = string | Uint8Array | readonly Uint8Array[] | undefined;

/** Whether one of the values of `Expect` asks for 100, as golang.org/x/net/http2 reads them. */
function isContinue(expect: string | readonly string[] | undefined): boolean {
  return (
    expect !== undefined &&
    String(expect)
      .split(',')
      .some((token) => /^[ \t]*100-continue[ \t]*$/i.test(token))
  );
}

function chunksOf(body: string | Uint8Array | readonly Uint8Array[]): readonly Buffer[] {
  if (typeof body === 'string') return [Buffer.from(body)];
  return body instanceof Uint8Array ? [asBuffer(body)] : body.map(asBuffer);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

class Http2ResponseStream implements ResponseStream {
  readonly #stream: Http2Stream;
  readonly #exchange: ExchangeBase;
  /** A writer had to wait, and continues when all queued bytes have been sent. */
  #isFull = false;

  constructor(stream: Http2Stream, exchange: ExchangeBase) {
    this.#stream = stream;
    this.#exchange = exchange;
  }

  write(chunk: string | Uint8Array, written?: (error?: Error | null) => void): boolean {
    const stream = this.#stream;
    this.#exchange.answerBytes += chunk.length;
    stream.write(typeof chunk === 'string' ? Buffer.from(chunk) : asBuffer(chunk), written);
    this.#isFull ||= stream.queuedBytes >= queueBytes;
    return !this.#isFull;
  }

  get bufferedBytes(): number {
    return this.#stream.queuedBytes;
  }

  onDrain(listener: () => void): void {
    this.#stream.onDrain = () => {
      if (!this.#isFull) return;
      this.#isFull = false;
      listener();
    };
  }

  end(trailers?: OutgoingHeaders): void {
    const held = this.#exchange.complete();
    const last = trailers === undefined ? undefined : trailerFields(trailers);
    if (held === undefined) this.#stream.end(last);
    else this.#exchange.afterwards(held, () => this.#stream.end(last));
  }

  abort(): void {
    this.#stream.reset(errorCode.internal);
  }
}
