import { Buffer } from 'node:buffer';
import type { Readable } from 'node:stream';
import type { Exchange, IncomingHeaders, OutgoingHeaders, ResponseStream } from '#shared/request/exchange.ts';
import { bodyLength, ExchangeBase } from '#shared/server/exchange/exchange-base.ts';
import { headerLines, wholeBytes } from './hop-protocol.ts';
import { HopRequestBody } from './hop-request-body.ts';
import type { HopRequestHead } from './hop-request-head.ts';
import { HopResponseStream } from './hop-response-stream.ts';
import type { HopStreamHost } from './hop-response-stream.ts';

/** The parts of a connection that an exchange uses. */
export interface HopExchangeHost extends HopStreamHost {
  /** Drops the exchange: it gets no more frames. */
  forget(id: number): void;
}

/** An exchange on a connection that it shares with others. Its peer is the gateway, which is trusted. */
export class HopExchange extends ExchangeBase implements Exchange {
  readonly id: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly httpVersion = '2.0';
  readonly headers: IncomingHeaders;
  readonly sharedHeaders: readonly string[];
  readonly hasBody: boolean;
  readonly expectsContinue: boolean;
  readonly remoteAddress = '';
  readonly remotePort = 0;
  readonly trust = 'internal';
  readonly #host: HopExchangeHost;
  readonly #ownHeaders: readonly string[];
  #rawHeaders: readonly string[] | undefined;
  readonly #body: HopRequestBody;
  #stream: HopResponseStream | undefined;

  constructor(host: HopExchangeHost, id: number, head: HopRequestHead) {
    super();
    this.#host = host;
    this.id = id;
    this.method = head.method;
    const { target } = head;
    const mark = target.indexOf('?');
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.query = mark < 0 ? '' : target.slice(mark + 1);
    this.headers = head.headers;
    this.sharedHeaders = head.sharedHeaders;
    this.#ownHeaders = head.ownHeaders;
    this.hasBody = head.hasBody;
    this.expectsContinue = head.hasBody && head.headers['expect'] !== undefined;
    this.#body = new HopRequestBody(head.hasBody, {
      isAsked: this.expectsContinue,
      grant: (bytes) => {
        if (!this.closed) host.writer.window(id, bytes);
      },
      abandoned: () => this.#bodyAbandoned(),
    });
  }

  get rawHeaders(): readonly string[] {
    return (this.#rawHeaders ??= [...this.sharedHeaders, ...this.#ownHeaders]);
  }

  peerCertificates(): undefined {
    return undefined;
  }

  get body(): Readable {
    return this.#body.stream;
  }

  readBody(maxBytes: number): Promise<Buffer> {
    return this.#body.collect(this.headers['content-length'] as string | undefined, maxBytes);
  }

  /** Does nothing: no handler that is reached over the hop sends informational answers. */
  inform(): void {}

  send(status: number, headers: OutgoingHeaders, body?: string | Uint8Array | readonly Uint8Array[]): void {
    const all = this.#claimed(status, headers);
    if (this.closed) return;
    const bytes = bodyLength(body);
    if (this.method === 'HEAD') {
      if (all['content-length'] === undefined) all['content-length'] = bytes;
      this.#host.writer.whole(this.id, status, this.#lines(all), [], 0);
    } else if (bytes <= wholeBytes) {
      this.#host.writer.whole(this.id, status, this.#lines(all), chunksOf(body), bytes);
    } else {
      if (all['content-length'] === undefined) all['content-length'] = bytes;
      const stream = this.#begin(status, all);
      for (const chunk of chunksOf(body)) stream.write(chunk);
      stream.end();
      return;
    }
    this.#finish();
  }

  stream(status: number, headers: OutgoingHeaders): ResponseStream {
    return this.#begin(status, this.#claimed(status, headers));
  }

  get queuedBytes(): number {
    return this.#stream?.bufferedBytes ?? 0;
  }

  dropClient(): void {
    if (!this.closed) this.#cutOff();
  }

  endNow(): void {
    if (this.closed) return;
    if (this.#stream !== undefined) this.#stream.end();
    else this.#cutOff();
  }

  abandon(): void {
    if (this.closed) return;
    if (this.#stream !== undefined) this.#stream.abort();
    else this.#cutOff();
  }

  upgrade(): undefined {
    return undefined;
  }

  sendNote(message: Uint8Array): void {
    if (!this.closed) this.#host.writer.note(this.id, message);
  }

  receiveBody(chunk: Buffer): void {
    this.#body.receive(chunk);
  }

  endBody(): void {
    this.#body.end();
  }

  grant(bytes: number): void {
    this.#stream?.grant(bytes);
  }

  /** Continues to send: the connection has room again. */
  pump(): void {
    this.#stream?.pump();
  }

  /** Ends the exchange: the client or the connection is gone. */
  cut(): void {
    this.#finish();
  }

  #begin(status: number, headers: OutgoingHeaders): HopResponseStream {
    if (!this.closed) this.#host.writer.head(this.id, status, this.#lines(headers));
    const stream = new HopResponseStream(this.#host, this.id, (moment) => {
      if (moment === 'sent') void this.complete();
      else this.#finish();
    });
    if (this.closed) stream.close();
    else if (this.method === 'HEAD') stream.end();
    this.#stream = stream;
    return stream;
  }

  /** Leaves the audit id out, which the gateway sets itself: taking it from an answer costs more. */
  override setHeader(name: string, value: string | string[]): void {
    if (name !== 'audit-id' || value !== this.headers['audit-id']) super.setHeader(name, value);
  }

  /**
   * Drops headers that the gateway sets itself: the audit id, which it has sent to the client already, and
   * `connection`.
   */
  #claimed(status: number, headers: OutgoingHeaders): OutgoingHeaders {
    const all = this.claim(status, headers);
    if (all['audit-id'] !== undefined && all['audit-id'] === this.headers['audit-id']) delete all['audit-id'];
    if (all['connection'] !== undefined) delete all['connection'];
    return all;
  }

  /** Aborts the exchange if the headers are invalid: once an answer has been claimed, no other answer can be sent. */
  #lines(headers: OutgoingHeaders): string {
    try {
      return headerLines(headers);
    } catch (error) {
      this.#cutOff();
      throw error;
    }
  }

  #bodyAbandoned(): void {
    if (!this.closed && !this.responded) this.#cutOff();
  }

  #cutOff(): void {
    this.#host.writer.reset(this.id, false);
    this.#finish();
  }

  #finish(): void {
    if (this.closed) return;
    this.#host.forget(this.id);
    this.#stream?.close();
    this.markClosed();
    this.#body.cut();
  }
}

function chunksOf(body: string | Uint8Array | readonly Uint8Array[] | undefined): readonly Uint8Array[] {
  if (body === undefined) return [];
  if (typeof body === 'string') return [Buffer.from(body)];
  return body instanceof Uint8Array ? [body] : body;
}
