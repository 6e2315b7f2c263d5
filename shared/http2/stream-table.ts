import { TokenBucket } from '#shared/apimachinery/values/token-bucket.ts';
import type { FrameWriter } from './frame-writer.ts';
import {
  ConnectionFault,
  errorCode,
  frameFlag,
  largestStreamId,
  resetFrame,
  StreamFault,
  usualWindow,
  windowUpdateFrame,
  type ErrorCode,
} from './frames.ts';
import type { HeaderBlock } from './header-block-reader.ts';
import { withoutPadding } from './padding.ts';
import { ReceiveWindow } from './receive-window.ts';
import { StreamBody } from './request-body.ts';
import { announcedBytes, type RequestHead } from './request-head.ts';
import { Http2Stream, type StreamHost } from './server-stream.ts';

export interface StreamLimits {
  /** Streams that a client may have open at once. */
  readonly maxConcurrentStreams: number;
  /** Largest frame that is accepted; also the receive window of each stream. */
  readonly frameBytes: number;
  /** Receive window of the connection, for the unread bodies of all streams. */
  readonly windowBytes: number;
}

/** How many reset streams are remembered: frames that the client sent before it learned of a reset are no fault. */
const maxRemembered = 256;

/** The streams of a connection, and the effect of frames on them (RFC 9113 section 5.1). */
export class StreamTable implements StreamHost {
  readonly writer: FrameWriter;
  readonly #limits: StreamLimits;
  readonly #window: ReceiveWindow;
  readonly #open = new Map<number, Http2Stream>();
  readonly #broken = new Set<number>();
  readonly #mostBroken: number;
  /** A client may cancel as many streams as it may open: twice in a burst, then once a second (CVE-2023-44487). */
  readonly #resets: TokenBucket;
  readonly #onStream: (stream: Http2Stream) => void;
  readonly #onEmpty: () => void;
  #initialSendWindow = usualWindow;
  /** Streams with a higher id are not served any more. */
  #lastServed = largestStreamId;
  /** The highest id of a stream that the client has begun. */
  lastStream = 0;

  constructor(limits: StreamLimits, writer: FrameWriter, onStream: (stream: Http2Stream) => void, onEmpty: () => void) {
    this.#limits = limits;
    this.writer = writer;
    this.#onStream = onStream;
    this.#onEmpty = onEmpty;
    this.#mostBroken = Math.max(maxRemembered, 2 * limits.maxConcurrentStreams);
    this.#resets = new TokenBucket(2 * limits.maxConcurrentStreams, limits.maxConcurrentStreams);
    this.#window = new ReceiveWindow(limits.windowBytes, (bytes) => writer.control(windowUpdateFrame(0, bytes)));
  }

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  /** From now on no new stream is served. */
  serveNoMore(): void {
    this.#lastServed = this.lastStream;
  }

  /** Closes all streams, as the connection is closed. */
  closeAll(): void {
    for (const stream of this.#open.values()) stream.close();
  }

  reset(id: number, code: ErrorCode): void {
    if (this.#broken.size >= this.#mostBroken) this.#broken.delete(this.#broken.values().next().value as number);
    this.#broken.add(id);
    this.writer.control(resetFrame(id, code));
  }

  closed(stream: Http2Stream): void {
    this.#open.delete(stream.id);
    if (this.#open.size === 0) this.#onEmpty();
  }

  /**
   * Resets a stream after a fault of the client. These resets share one budget with the client's own cancellations
   * (CVE-2025-8671).
   * @throws ConnectionFault
   */
  breakOff({ stream: id, code }: StreamFault): void {
    if (!this.#resets.take()) throw new ConnectionFault(errorCode.enhanceYourCalm, 'too many faults');
    const stream = this.#open.get(id);
    if (stream === undefined) this.reset(id, code);
    else stream.reset(code);
  }

  /** Handles DATA. @throws ConnectionFault, StreamFault, AbruptEnd */
  data(flags: number, id: number, frame: Buffer): void {
    if (id === 0) throw new ConnectionFault(errorCode.protocol, 'DATA of no stream');
    const payload = withoutPadding(flags, frame);
    if (payload === undefined) throw new ConnectionFault(errorCode.protocol, 'more padding than payload');
    if (!this.#window.take(frame.length))
      throw new ConnectionFault(errorCode.flowControl, 'more than the window of the connection');
    const stream = this.#open.get(id);
    const body = stream?.body;
    if (stream === undefined || body === undefined || body.ended) {
      this.#window.give(frame.length);
      return this.#dataOfClosed(id, stream);
    }
    const fault = body.receive(payload, frame.length - payload.length);
    if (fault !== undefined) {
      const overWindow = fault === 'more than the window';
      this.#window.give(overWindow ? frame.length : payload.length);
      throw new StreamFault(id, overWindow ? errorCode.flowControl : errorCode.protocol, fault);
    }
    if ((flags & frameFlag.endStream) !== 0) stream.remoteEnded(body);
  }

  /** Handles a header block. @param refusal error code for one stream too many @throws ConnectionFault, StreamFault */
  headers({ stream: id, endStream, collector, dependsOnItself }: HeaderBlock, refusal: ErrorCode): void {
    if (id % 2 !== 1) throw new ConnectionFault(errorCode.protocol, 'a stream of the server');
    const open = this.#open.get(id);
    if (open !== undefined) {
      if (open.body === undefined || open.body.ended)
        throw new StreamFault(id, errorCode.streamClosed, 'header fields behind the end');
      if (!endStream) throw new StreamFault(id, errorCode.protocol, 'trailers that do not end the stream');
      collector.checkTrailers(id);
      return open.remoteEnded(open.body);
    }
    if (id > this.#lastServed || this.#broken.has(id)) return;
    if (id <= this.lastStream) throw new ConnectionFault(errorCode.protocol, 'header fields of a closed stream');
    this.lastStream = id;
    if (this.#open.size >= this.#limits.maxConcurrentStreams) throw new StreamFault(id, refusal, 'too many streams');
    if (dependsOnItself) throw new StreamFault(id, errorCode.protocol, 'a stream that depends on itself');
    this.#begin(id, collector.request(id), endStream);
  }

  /** Handles RST_STREAM. @throws ConnectionFault */
  resetByClient(id: number, payload: Buffer): void {
    if (payload.length !== 4) throw new ConnectionFault(errorCode.frameSize, 'RST_STREAM of a wrong length');
    if (id === 0 || this.#isIdle(id)) throw new ConnectionFault(errorCode.protocol, 'RST_STREAM of an idle stream');
    const stream = this.#open.get(id);
    if (stream === undefined) return;
    if (!this.#resets.take()) throw new ConnectionFault(errorCode.enhanceYourCalm, 'too many resets');
    stream.close();
  }

  /** Handles WINDOW_UPDATE. @throws ConnectionFault, StreamFault */
  windowUpdate(id: number, payload: Buffer): void {
    if (payload.length !== 4) throw new ConnectionFault(errorCode.frameSize, 'WINDOW_UPDATE of a wrong length');
    const bytes = payload.readUInt32BE(0) & 0x7fff_ffff;
    if (bytes === 0)
      throw id === 0
        ? new ConnectionFault(errorCode.protocol, 'WINDOW_UPDATE by nothing')
        : new StreamFault(id, errorCode.protocol, 'WINDOW_UPDATE by nothing');
    if (id === 0) return this.writer.openWindow(bytes);
    const stream = this.#open.get(id);
    if (stream !== undefined) this.writer.openStreamWindow(stream, bytes);
    else if (this.#isIdle(id)) throw new ConnectionFault(errorCode.protocol, 'WINDOW_UPDATE of an idle stream');
  }

  /**
   * Applies SETTINGS_INITIAL_WINDOW_SIZE to open streams, too; their windows may become negative (RFC 9113 section
   * 6.9.2). @throws ConnectionFault
   */
  setSendWindows(bytes: number): void {
    const growth = bytes - this.#initialSendWindow;
    this.#initialSendWindow = bytes;
    try {
      for (const stream of this.#open.values()) this.writer.openStreamWindow(stream, growth);
    } catch (error) {
      throw error instanceof StreamFault ? new ConnectionFault(error.code, error.message) : error;
    }
  }

  #begin(id: number, head: RequestHead, endStream: boolean): void {
    const tellWindow = (bytes: number): void => this.writer.control(windowUpdateFrame(id, bytes));
    const body = endStream
      ? undefined
      : new StreamBody(announcedBytes(head), new ReceiveWindow(this.#limits.frameBytes, tellWindow), this.#window);
    const stream = new Http2Stream(id, head, body, this.#initialSendWindow, this);
    this.#open.set(id, stream);
    this.#onStream(stream);
  }

  /** Handles DATA for a stream that the client has ended, or that is closed. */
  #dataOfClosed(id: number, stream: Http2Stream | undefined): void {
    if (this.#isIdle(id)) throw new ConnectionFault(errorCode.protocol, 'DATA of an idle stream');
    if (id > this.#lastServed || (stream === undefined && this.#broken.has(id))) return;
    throw new StreamFault(id, errorCode.streamClosed, 'the stream is closed');
  }

  #isIdle(id: number): boolean {
    return id > this.lastStream && id <= this.#lastServed;
  }
}
