import type { Socket } from 'node:net';
import { takeChunks } from '#shared/apimachinery/slices/take-chunks.ts';
import { TokenBucket } from '#shared/apimachinery/values/token-bucket.ts';
import { FrameReader } from './frame-reader.ts';
import { FrameWriter } from './frame-writer.ts';
import {
  AbruptEnd,
  ConnectionFault,
  errorCode,
  frameFlag,
  frameType,
  goawayFrame,
  largestStreamId,
  pingFrame,
  setting,
  settingsAck,
  settingsFrame,
  StreamFault,
  usualWindow,
  windowUpdateFrame,
  type ErrorCode,
} from './frames.ts';
import { checkPriority, HeaderBlockReader, type HeaderBlock } from './header-block-reader.ts';
import { readSettings } from './peer-settings.ts';
import type { Http2Stream } from './server-stream.ts';
import { StreamTable, type StreamLimits } from './stream-table.ts';

export interface ConnectionOptions extends StreamLimits {
  /** Most bytes of all names and values of a request's fields, with 32 more for each field. */
  readonly headerBytes: number;
  /** A request has arrived. Its stream may be closed again before it is handled. */
  readonly onStream: (stream: Http2Stream) => void;
  readonly onClose: () => void;
  /** An internal error, not a fault of the client, has ended the connection. */
  readonly onError: (error: unknown) => void;
}

/** Most changes of the initial window size in a second while streams are open; clients change it once, if at all. */
const maxWindowChanges = 100;

/** How long a client may take to close the connection itself after GOAWAY. */
const farewellMs = 250;

/**
 * The server's end of an HTTP/2 connection (RFC 9113); faults have the same consequences as in golang.org/x/net/http2
 * (server.go).
 */
export class ServerConnection {
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  readonly #writer: FrameWriter;
  readonly #frames: FrameReader;
  readonly #blocks: HeaderBlockReader;
  readonly #streams: StreamTable;
  /** Limits window changes: each costs the client a few bytes, and causes work for every open stream. */
  readonly #windowChanges = new TokenBucket(maxWindowChanges, maxWindowChanges);
  #sawSettings = false;
  #unconfirmedSettings = 1;
  #isEnding = false;
  /** Whether everything was written, and received bytes are ignored. */
  #isOver = false;
  #deadline: NodeJS.Timeout | undefined;
  #onClosed: (() => void)[] = [];

  /** @param socket a socket from which nothing was read yet */
  constructor(socket: Socket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#writer = new FrameWriter(socket, () => this.destroy());
    this.#blocks = new HeaderBlockReader(options.headerBytes);
    this.#streams = new StreamTable(options, this.#writer, options.onStream, () => {
      if (this.#isEnding) this.#end();
    });
    this.#frames = new FrameReader(options.frameBytes, (type, flags, stream, payload) =>
      this.#frame(type, flags, stream, payload),
    );
    takeChunks(socket, (chunk) => this.#read(chunk));
    socket.on('end', () => this.destroy());
    socket.on('error', () => this.destroy());
    socket.on('close', () => this.#closed());
    this.#greet();
  }

  get destroyed(): boolean {
    return this.#socket.destroyed;
  }

  /** Closes the connection at once; open streams are aborted. */
  destroy(): void {
    this.#socket.destroy();
  }

  /**
   * Announces by a GOAWAY with the highest stream id that the connection will end: streams that the client begins
   * before it receives this are still served.
   */
  announceEnd(): void {
    if (!this.destroyed && !this.#isEnding) this.#writer.control(goawayFrame(largestStreamId, errorCode.none));
  }

  /** Ends the connection after the open streams; new streams are not served. */
  close(done?: () => void): void {
    if (done !== undefined) this.#onClosed.push(done);
    if (this.#isEnding || this.destroyed) return;
    this.#isEnding = true;
    this.#streams.serveNoMore();
    this.#writer.control(goawayFrame(this.#streams.lastStream, errorCode.none));
    if (this.#streams.isEmpty) this.#end();
  }

  /** Whether sent bytes wait in the socket since the client does not read them. */
  get isStalled(): boolean {
    return this.#socket.writableLength > 0;
  }

  #greet(): void {
    const { maxConcurrentStreams, frameBytes, windowBytes, headerBytes } = this.#options;
    this.#writer.control(
      settingsFrame([
        [setting.maxFrameSize, frameBytes],
        [setting.maxConcurrentStreams, maxConcurrentStreams],
        [setting.maxHeaderListSize, headerBytes],
        [setting.initialWindowSize, frameBytes],
      ]),
    );
    if (windowBytes > usualWindow) this.#writer.control(windowUpdateFrame(0, windowBytes - usualWindow));
  }

  #read(chunk: Buffer): void {
    if (this.#isOver || this.destroyed) return;
    try {
      this.#frames.push(chunk);
    } catch (error) {
      if (error instanceof ConnectionFault) return this.#fail(error.code);
      if (!(error instanceof AbruptEnd)) this.#options.onError(error);
      this.destroy();
    }
  }

  #frame(type: number, flags: number, id: number, payload: Buffer): void {
    if (this.#isOver) return;
    try {
      this.#handle(type, flags, id, payload);
    } catch (error) {
      if (!(error instanceof StreamFault)) throw error;
      this.#streams.breakOff(error);
    }
  }

  /** Handles a frame; frames of unknown types are ignored (RFC 9113 section 4.1). */
  #handle(type: number, flags: number, id: number, payload: Buffer): void {
    if (!this.#sawSettings && type !== frameType.settings) throw protocolFault('the first frame is not SETTINGS');
    if (this.#blocks.isOpen && type !== frameType.continuation) throw protocolFault('a frame within a header block');
    switch (type) {
      case frameType.data:
        return this.#streams.data(flags, id, payload);
      case frameType.headers:
        return this.#headers(this.#blocks.begin(flags, id, payload));
      case frameType.continuation:
        return this.#headers(this.#blocks.continue(flags, id, payload));
      case frameType.priority:
        return checkPriority(id, payload);
      case frameType.reset:
        return this.#streams.resetByClient(id, payload);
      case frameType.settings:
        return this.#settings(flags, id, payload);
      case frameType.pushPromise:
        throw protocolFault('PUSH_PROMISE of a client');
      case frameType.ping:
        return this.#ping(flags, id, payload);
      case frameType.goaway:
        return this.#goaway(id, payload);
      case frameType.windowUpdate:
        return this.#streams.windowUpdate(id, payload);
      default:
    }
  }

  #headers(block: HeaderBlock | undefined): void {
    // A client that has not acknowledged the limit of streams yet may send the request again.
    if (block !== undefined)
      this.#streams.headers(block, this.#unconfirmedSettings === 0 ? errorCode.protocol : errorCode.refusedStream);
  }

  #settings(flags: number, id: number, payload: Buffer): void {
    if (id !== 0) throw protocolFault('SETTINGS of a stream');
    if ((flags & frameFlag.ack) !== 0) {
      if (payload.length > 0) throw new ConnectionFault(errorCode.frameSize, 'SETTINGS that confirm and tell');
      if (--this.#unconfirmedSettings < 0) throw protocolFault('SETTINGS confirmed that were not sent');
      return;
    }
    const { headerTableSize, initialWindowSize, maxFrameSize } = readSettings(payload);
    this.#sawSettings = true;
    if (headerTableSize !== undefined) this.#writer.headerTableSize = headerTableSize;
    if (maxFrameSize !== undefined) this.#writer.largestFrame = maxFrameSize;
    if (initialWindowSize !== undefined) {
      if (!this.#streams.isEmpty && !this.#windowChanges.take())
        throw new ConnectionFault(errorCode.enhanceYourCalm, 'too many changes of windows');
      this.#streams.setSendWindows(initialWindowSize);
    }
    this.#writer.control(settingsAck());
  }

  #ping(flags: number, id: number, payload: Buffer): void {
    if (payload.length !== 8) throw new ConnectionFault(errorCode.frameSize, 'PING of a wrong length');
    if (id !== 0) throw protocolFault('PING of a stream');
    if ((flags & frameFlag.ack) === 0) this.#writer.control(pingFrame(frameFlag.ack, payload));
  }

  #goaway(id: number, payload: Buffer): void {
    if (id !== 0) throw protocolFault('GOAWAY of a stream');
    if (payload.length < 8) throw new ConnectionFault(errorCode.frameSize, 'GOAWAY of a wrong length');
    this.close();
  }

  /** Sends GOAWAY with the error code, and aborts all open streams. */
  #fail(code: ErrorCode): void {
    this.#isEnding = true;
    this.#writer.control(goawayFrame(this.#streams.lastStream, code));
    this.#streams.closeAll();
    this.#end();
    this.#destroySoon();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#writer.flush();
    this.#socket.end(() => this.#destroySoon());
  }

  #destroySoon(): void {
    this.#deadline ??= setTimeout(() => this.destroy(), farewellMs).unref();
  }

  #closed(): void {
    this.#isOver = true;
    clearTimeout(this.#deadline);
    this.#streams.closeAll();
    this.#writer.close();
    for (const done of this.#onClosed.splice(0)) done();
    this.#options.onClose();
  }
}

function protocolFault(why: string): ConnectionFault {
  return new ConnectionFault(errorCode.protocol, why);
}
