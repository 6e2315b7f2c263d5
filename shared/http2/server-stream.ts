import { ByteQueue, type ReleaseBytes } from './byte-queue.ts';
import { frameFlag, frameType, newFrame, type ErrorCode } from './frames.ts';
import type { DataSource, OutgoingField, FrameWriter } from './frame-writer.ts';
import type { StreamBody } from './request-body.ts';
import type { RequestHead } from './request-head.ts';

/** What a stream needs of its connection. */
export interface StreamHost {
  readonly writer: FrameWriter;
  /** Tells the client that a stream is broken off. */
  reset(id: number, code: ErrorCode): void;
  /** The stream is over. */
  closed(stream: Http2Stream): void;
}

/** One request and its answer on an HTTP/2 connection (RFC 9113 section 5.1). */
export class Http2Stream implements DataSource {
  readonly id: number;
  readonly head: RequestHead;
  /** Undefined where the header fields end the request. */
  readonly body: StreamBody | undefined;
  sendWindow: number;
  /** Called when all that was queued has gone to the connection. */
  onDrain: (() => void) | undefined;
  /** Called when the answer is complete and the body of the request is not. */
  onAnswered: (() => void) | undefined;
  /** Called once, when both sides have ended or one has broken it off. */
  onClose: (() => void) | undefined;
  closed = false;
  readonly #host: StreamHost;
  readonly #queued = new ByteQueue();
  /** What ends the answer goes behind the last byte that is queued. */
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

  /** Whether the answer can be gone on with. */
  get writable(): boolean {
    return !this.closed && this.#end === 'open';
  }

  /** Begins the answer. @param endStream no body follows */
  respond(fields: readonly OutgoingField[], endStream: boolean): void {
    if (!this.writable) return;
    this.#host.writer.headers(this.id, fields, endStream);
    if (endStream) this.#ended();
  }

  /** Queues a part of the answer's body. @param release called when its bytes are no longer needed */
  write(chunk: Buffer, release?: ReleaseBytes): void {
    if (!this.writable || chunk.length === 0) return release?.();
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
    for (const chunk of chunks) this.#queued.push(chunk);
    this.#end = 'with data';
    if (this.#queued.length === 0) this.emptied();
    else this.#host.writer.data(this);
  }

  /** Breaks the stream off. */
  reset(code: ErrorCode): void {
    if (this.closed) return;
    this.#host.reset(this.id, code);
    this.close();
  }

  take(bytes: number, into: Buffer[], releases: ReleaseBytes[]): void {
    this.#queued.take(bytes, into, releases);
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

  /** The stream is over, whatever was queued. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.#host.writer.forget(this);
    this.#queued.clear();
    this.body?.abandon();
    this.#host.closed(this);
    this.onClose?.();
  }

  #ended(): void {
    this.#end = 'sent';
    if (this.body === undefined || this.body.ended) this.close();
    else this.onAnswered?.();
  }
}
