import type { Buffer } from 'node:buffer';
import { constants } from 'node:http2';
import type { ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';

/** Names of error codes by number (RFC 9113 section 7). */
const errorNames = [
  'NO_ERROR', 'PROTOCOL_ERROR', 'INTERNAL_ERROR', 'FLOW_CONTROL_ERROR', 'SETTINGS_TIMEOUT', 'STREAM_CLOSED', 'FRAME_SIZE_ERROR', 'REFUSED_STREAM',
  'CANCEL', 'COMPRESSION_ERROR', 'CONNECT_ERROR', 'ENHANCE_YOUR_CALM', 'INADEQUATE_SECURITY', 'HTTP_1_1_REQUIRED',
];

/** A request on a stream of its own, told to the same handlers as those over HTTP/1.1. After an abort they hear nothing more. */
export class Http2Call implements Dispatcher.DispatchController {
  readonly #stream: ClientHttp2Stream;
  readonly #handler: Dispatcher.DispatchHandler;
  #reason: Error | null = null;
  #trailers: IncomingHttpHeaders = {};
  #error: Error | undefined;
  /** The server ended the stream itself. */
  #whole = false;
  #over = false;

  constructor(stream: ClientHttp2Stream, handler: Dispatcher.DispatchHandler) {
    this.#stream = stream;
    this.#handler = handler;
  }

  start(body: Readable | null): void {
    const stream = this.#stream;
    const handler = this.#handler;
    this.#noteEnd(stream);
    stream.on('response', (headers) => this.#answered(headers));
    stream.on('data', (chunk: Buffer) => { if (!this.#over) handler.onResponseData?.(this, chunk); });
    stream.on('trailers', (trailers) => { this.#trailers = trailers; });
    stream.on('end', () => this.#ended());
    stream.on('error', (error) => { this.#error = error; });
    stream.on('close', () => this.#closed());
    handler.onRequestStart?.(this, undefined);
    body?.pipe(stream);
  }

  get aborted(): boolean {
    return this.#reason !== null;
  }

  get paused(): boolean {
    return this.#stream.isPaused();
  }

  get reason(): Error | null {
    return this.#reason;
  }

  abort(reason: Error): void {
    if (this.#over) return;
    this.#over = true;
    this.#reason = reason;
    this.#stream.close(constants.NGHTTP2_CANCEL);
  }

  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  #answered(headers: IncomingHttpHeaders): void {
    if (this.#over) return;
    const { ':status': status = '0', ...rest } = headers;
    this.#handler.onResponseStart?.(this, Number(status), rest);
  }

  /** node:http2 lets a stream that was reset without an error code end like a whole one, only that it has closed it before. */
  #noteEnd(stream: ClientHttp2Stream): void {
    const push = stream.push.bind(stream);
    stream.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
      if (chunk === null && !stream.closed) this.#whole = true;
      return push(chunk, encoding);
    };
  }

  #ended(): void {
    if (this.#over || !this.#whole) return;
    this.#over = true;
    this.#handler.onResponseEnd?.(this, this.#trailers);
  }

  #closed(): void {
    if (this.#over) return;
    this.#over = true;
    this.#handler.onResponseError?.(this, this.#whyCut());
  }

  #whyCut(): Error {
    const { rstCode = 0, id = 0, session } = this.#stream;
    const code = errorNames[rstCode] ?? `unknown error code 0x${rstCode.toString(16)}`;
    const lost = session === undefined || session.destroyed || session.closed;
    // Nothing of a refused stream was done, and a connection that closed may have closed before it saw the stream.
    if (lost || code === 'REFUSED_STREAM') return Object.assign(new Error('the connection was closed', { cause: this.#error }), { code: 'ECONNRESET' });
    return new Error(`stream error: stream ID ${id}; ${code}; received from peer`, { cause: this.#error });
  }
}
