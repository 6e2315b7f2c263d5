import type { Socket } from 'node:net';
import { flushLater, type GatheringWriter } from '#shared/apimachinery/slices/turn-writes.ts';
import type { ReleaseBytes } from './byte-queue.ts';
import {
  ConnectionFault,
  errorCode,
  frameFlag,
  frameHeaderBytes,
  frameType,
  largestWindow,
  newFrame,
  smallestFrameLimit,
  StreamFault,
  usualWindow,
} from './frames.ts';
import { HeaderEncoder } from './hpack/encoder.ts';
import { encodeFields, type OutgoingField } from './outgoing-field.ts';

/** A stream that has data to send. */
export interface DataSource {
  readonly id: number;
  /** Bytes that the client lets this stream send. */
  sendWindow: number;
  readonly queuedBytes: number;
  /** Whether END_STREAM may be set on the frame with the last byte. */
  readonly endsWithData: boolean;
  /** Moves the next `bytes` of the queue to `into`, and the callbacks to run when they have been sent to `releases`. */
  take(bytes: number, into: Buffer[], releases: ReleaseBytes[]): void;
  /** Everything has been taken. */
  emptied(): void;
}

/**
 * Largest payload of a DATA frame, however large the client's window is: after each frame it is the next stream's turn.
 */
const maxInFrame = 64 * 1024;
/** Once the socket buffers this many bytes no more DATA frames are written, so that control frames never wait long. */
const maxInSocket = 256 * 1024;
/** Frames with fewer bytes than this in total are joined into one buffer. */
const joinBelowBytes = 64 * 1024;
/**
 * A client that causes responses and does not read them is disconnected (CVE-2019-9512, CVE-2019-9515). HEADERS frames
 * count, too: a response without a body waits for no window, and its stream is closed before the client reads it.
 */
const maxUnreadFrames = 10_000;

/**
 * The sending side of a connection. Frames of what is handled together, at most a turn of the event loop, are written
 * together (`flushLater`). DATA frames of all
 * streams take turns, as far as the client's windows and the socket's buffer allow.
 */
export class FrameWriter implements GatheringWriter {
  readonly #socket: Socket;
  readonly #encoder = new HeaderEncoder();
  readonly #ready = new Set<DataSource>();
  readonly #onFlood: () => void;
  #frames: Buffer[] = [];
  #bytes = 0;
  /** Callbacks for the bytes in `#frames`. */
  #releases: ReleaseBytes[] = [];
  #isPumping = false;
  #isScheduled = false;
  #window = usualWindow;
  #largestFrame = smallestFrameLimit;
  #unreadFrames = 0;

  /** @param onFlood called when thousands of control frames wait for a client that does not read */
  constructor(socket: Socket, onFlood: () => void) {
    this.#socket = socket;
    this.#onFlood = onFlood;
    socket.on('drain', () => {
      this.#unreadFrames = 0;
      this.#pump();
    });
  }

  set headerTableSize(bytes: number) {
    this.#encoder.setTableSize(bytes);
  }

  set largestFrame(bytes: number) {
    this.#largestFrame = Math.min(bytes, maxInFrame);
  }

  /** Sends a frame that is not subject to flow control. */
  control(frame: Buffer): void {
    if (this.#socket.writableNeedDrain && ++this.#unreadFrames > maxUnreadFrames) this.#onFlood();
    else this.#push(frame);
  }

  /** @param fields header fields; those that are not valid are left out */
  headers(stream: number, fields: readonly OutgoingField[], endStream: boolean): void {
    const encoder = this.#encoder;
    encoder.begin();
    encodeFields(encoder, fields);
    const { block } = encoder;
    for (let at = 0; at === 0 || at < block.length; at += this.#largestFrame) {
      const part = block.subarray(at, at + this.#largestFrame);
      const isLast = at + part.length === block.length;
      const flags = (isLast ? frameFlag.endHeaders : 0) | (endStream && at === 0 ? frameFlag.endStream : 0);
      const frame = newFrame(at === 0 ? frameType.headers : frameType.continuation, flags, stream, part.length);
      part.copy(frame, frameHeaderBytes);
      this.control(frame);
    }
  }

  /** Sends the queued bytes of a stream as soon as windows and socket allow. */
  data(source: DataSource): void {
    this.#ready.add(source);
    this.#pump();
  }

  forget(source: DataSource): void {
    this.#ready.delete(source);
  }

  /** @throws ConnectionFault */
  openWindow(bytes: number): void {
    if (this.#window + bytes > largestWindow)
      throw new ConnectionFault(errorCode.flowControl, 'window of the connection too large');
    this.#window += bytes;
    this.#pump();
  }

  /** @throws StreamFault */
  openStreamWindow(source: DataSource, bytes: number): void {
    if (source.sendWindow + bytes > largestWindow)
      throw new StreamFault(source.id, errorCode.flowControl, 'window of the stream too large');
    source.sendWindow += bytes;
    if (source.queuedBytes > 0) this.data(source);
  }

  /** Writes at once what would otherwise be written at the end of the turn. */
  flush(): void {
    this.#isScheduled = false;
    const [frames, releases, bytes] = [this.#frames, this.#releases, this.#bytes];
    this.#frames = [];
    this.#releases = [];
    this.#bytes = 0;
    const socket = this.#socket;
    if (frames.length === 0 || !socket.writable) return releaseAll(releases);
    if (frames.length > 1 && bytes <= joinBelowBytes) {
      socket.write(Buffer.concat(frames, bytes));
      return releaseAll(releases);
    }
    const last = frames.pop() as Buffer;
    if (frames.length > 0) socket.cork();
    for (const frame of frames) socket.write(frame);
    socket.write(last, releases.length === 0 ? undefined : (error) => releaseAll(releases, error));
    if (frames.length > 0) socket.uncork();
  }

  /** Discards what waits, as the connection is closed. */
  close(): void {
    this.#ready.clear();
    this.flush();
  }

  #push(frame: Buffer): void {
    this.#frames.push(frame);
    this.#bytes += frame.length;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    flushLater(this);
  }

  /** A source may queue more when its queue is emptied; the running loop then serves it again. */
  #pump(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    try {
      for (const source of this.#ready) {
        if (this.#window <= 0 || this.#bytes + this.#socket.writableLength >= maxInSocket) return;
        this.#ready.delete(source);
        this.#sendSome(source);
      }
    } finally {
      this.#isPumping = false;
    }
  }

  #sendSome(source: DataSource): void {
    const bytes = Math.min(source.queuedBytes, source.sendWindow, this.#window, this.#largestFrame);
    if (bytes <= 0) return;
    const isLast = bytes === source.queuedBytes && source.endsWithData;
    this.#push(newFrame(frameType.data, isLast ? frameFlag.endStream : 0, source.id, bytes, 0));
    source.take(bytes, this.#frames, this.#releases);
    this.#bytes += bytes;
    this.#window -= bytes;
    source.sendWindow -= bytes;
    if (source.queuedBytes > 0) this.#ready.add(source);
    else source.emptied();
  }
}

function releaseAll(releases: readonly ReleaseBytes[], error?: Error | null): void {
  for (const release of releases) release(error);
}
