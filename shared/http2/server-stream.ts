import { ByteQueue, type ReleaseBytes } from './byte-queue.ts';
import type { DataSource, FrameWriter } from './frame-writer.ts';
import { frameFlag, frameType, newFrame, type ErrorCode } from './frames.ts';
import type { OutgoingField } from './outgoing-field.ts';
import type { StreamBody } from './request-body.ts';
import type { RequestHead } from './request-head.ts';

/** What a stream uses of its connection. */
export interface StreamHost {
  readonly writer: FrameWriter;
  /** Sends RST_STREAM to the client. */
  reset(id: number, code: ErrorCode): void;
  /** Called when a stream is closed. */
  closed(stream: Http2Stream): void;
}

/** Is told of a stream. */
export interface Http2StreamListener {
  /** The response is complete but the body of the request is not. */
  streamAnswered(): void;
  /** Called once, when both sides have ended the stream or one has reset it. */
  streamClosed(): void;
}

/** One request and its response on an HTTP/2 connection (RFC 9113 section 5.1). */
export class Http2Stream implements DataSource {
  readonly id: number;
  readonly head: RequestHead;
  /** Undefined where HEADERS end the request. */
  readonly body: StreamBody | undefined;
  sendWindow: number;
  /** Called when all queued bytes were handed to the connection. */
  onDrain: (() => void) | undefined;
  listener: Http2StreamListener | undefined;
  closed = false;
  readonly #host: StreamHost;
  readonly #queued = new ByteQueue();
  /** How the response ends, after the last queued byte: with its data or with trailers. */
  #end: 'open' | 'with data' | readonly OutgoingField[] | 'sent' = 'open';

  constructor(id: number, head: RequestHead, body: StreamBody | undefined, sendWindow: number, host: StreamHost) {
    this.id = id;
    this.head = head;
    this.body = body;
    this.sendWindow = sendWindow;
    this.#host = host;
  }

  get queuedBytes(): number {
    return this.#queued.length;
  }

  get endsWithData(): boolean {
    return this.#end === 'with data';
  }

  /** Whether more of the response can be written. */
  get writable(): boolean {
    return !this.closed && this.#end === 'open';
  }

  /** Sends an informational answer (1xx), before the final one. */
  inform(fields: readonly OutgoingField[]): void {
    if (this.writable) this.#host.writer.headers(this.id, fields, false);
  }

  /** Sends the header fields of the response. @param endStream no body follows */
  respond(fields: readonly OutgoingField[], endStream: boolean): void {
    if (!this.writable) return;
    this.#host.writer.headers(this.id, fields, endStream);
    if (endStream) this.#ended();
  }

  /** Queues a part of the response's body. @param release called when its bytes are no longer needed */
  write(chunk: Buffer, release?: ReleaseBytes): void {
    if (!this.writable || chunk.length === 0) return release?.();
    if (this.#queued.length === 0 && this.#sendNow(chunk, false)) return release?.();
    this.#queued.push(chunk, release);
    this.#host.writer.data(this);
  }

  /** @param trailers that follow the body */
  end(trailers?: readonly OutgoingField[]): void {
    if (!this.writable) return;
    this.#end = trailers ?? 'with data';
    if (this.#queued.length === 0) this.emptied();
  }

  /** {@link write} and {@link end} in one. */
  endWith(chunks: readonly Buffer[]): void {
    if (!this.writable) return;
    const [only] = chunks;
    if (chunks.length === 1 && only !== undefined && this.#queued.length === 0 && this.#sendNow(only, true))
      return this.#ended();
    for (const chunk of chunks) this.#queued.push(chunk);
    this.#end = 'with data';
    if (this.#queued.length === 0) this.emptied();
    else this.#host.writer.data(this);
  }

  /** Copies a short chunk to what the connection is about to write, past the queue. Returns whether it could. */
  #sendNow(chunk: Buffer, endStream: boolean): boolean {
    const { writer } = this.#host;
    const at = writer.place(this, chunk.length, endStream);
    if (at < 0) return false;
    writer.memory.set(chunk, at);
    return true;
  }

  /** Resets the stream. */
  reset(code: ErrorCode): void {
    if (this.closed) return;
    this.#host.reset(this.id, code);
    this.close();
  }

  take(bytes: number, into: Buffer[], releases: ReleaseBytes[]): void {
    this.#queued.take(bytes, into, releases);
    if (this.#queued.length === 0 && this.#end === 'with data') this.#end = 'sent';
  }

  copy(bytes: number, into: Buffer, at: number): void {
    this.#queued.copy(bytes, into, at);
    if (this.#queued.length === 0 && this.#end === 'with data') this.#end = 'sent';
  }

  emptied(): void {
    const end = this.#end;
    if (end === 'open') return this.onDrain?.();
    if (end === 'with data') this.#host.writer.control(newFrame(frameType.data, frameFlag.endStream, this.id, 0));
    else if (end !== 'sent') this.#host.writer.headers(this.id, end, true);
    this.#ended();
  }

  /** The client has sent all of its request. */
  remoteEnded(body: StreamBody): void {
    body.end();
    if (this.#end === 'sent') this.close();
  }

  /** Closes the stream and discards what was queued. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.#host.writer.forget(this);
    this.#queued.clear();
    this.body?.abandon();
    this.#host.closed(this);
    this.listener?.streamClosed();
  }

  #ended(): void {
    this.#end = 'sent';
    if (this.body === undefined || this.body.ended) this.close();
    else this.listener?.streamAnswered();
  }
}
