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
  smallestFrameLimit,
  StreamFault,
  usualWindow,
  writeHttp2FrameHead,
} from './frames.ts';
import { blockWritten, gatherBytes, maySendBlock, returnBlock, takeBlock } from './gather-memory.ts';
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
  /** Copies the next `bytes` of the queue to `into`. */
  copy(bytes: number, into: Buffer, at: number): void;
  /** Everything has been taken. */
  emptied(): void;
}

/**
 * Largest payload of a DATA frame, however large the client's window is: after each frame it is the next stream's turn.
 */
const maxInFrame = 64 * 1024;
/** Once the socket buffers this many bytes no more DATA frames are written, so that control frames never wait long. */
const maxInSocket = 256 * 1024;
/** Payloads below this are copied, so that the frames of many streams are one buffer of the socket. */
const copyBelowBytes = 16 * 1024;
/** So are longer ones that make no more than this with all that is gathered. */
const joinBelowBytes = 64 * 1024;
/** A client that does not read must not hold a block for fewer bytes than this. */
const wastefulBytes = 32 * 1024;
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
  /** What is written before the bytes in the block. */
  #parts: Buffer[] = [];
  #block: Buffer | undefined;
  /** Bounds of the gathered bytes in the block that are not in a part yet. */
  #start = 0;
  #end = 0;
  /** All gathered bytes. */
  #bytes = 0;
  /** Callbacks for the bytes in `#parts` that are not in the block. */
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
    if (this.#isFlooded()) return;
    const at = this.#open(frame.length);
    this.#memory.set(frame, at);
  }

  /** @param fields header fields; those that are not valid are left out */
  headers(stream: number, fields: readonly OutgoingField[], endStream: boolean): void {
    const encoder = this.#encoder;
    encoder.begin();
    encodeFields(encoder, fields);
    const { block } = encoder;
    for (let at = 0; at === 0 || at < block.length; at += smallestFrameLimit) {
      if (this.#isFlooded()) continue;
      const part = block.subarray(at, at + smallestFrameLimit);
      const isLast = at + part.length === block.length;
      const flags = (isLast ? frameFlag.endHeaders : 0) | (endStream && at === 0 ? frameFlag.endStream : 0);
      const type = at === 0 ? frameType.headers : frameType.continuation;
      const to = this.#frame(type, flags, stream, part.length);
      this.#memory.set(part, to);
    }
  }

  #isFlooded(): boolean {
    if (!this.#socket.writableNeedDrain || ++this.#unreadFrames <= maxUnreadFrames) return false;
    this.#onFlood();
    return true;
  }

  /**
   * Sends so many bytes of a source with nothing queued, if windows and socket allow all of them now and they are few:
   * the caller must copy them to {@link memory} at once, to the position that is returned. Otherwise returns -1.
   */
  place(source: DataSource, bytes: number, endStream: boolean): number {
    if (bytes >= copyBelowBytes || bytes > source.sendWindow || bytes > this.#window || bytes > this.#largestFrame)
      return -1;
    if (this.#ready.size > 0 || this.#isFull()) return -1;
    this.#window -= bytes;
    source.sendWindow -= bytes;
    return this.#frame(frameType.data, endStream ? frameFlag.endStream : 0, source.id, bytes);
  }

  /** Where the bytes of {@link place} go. */
  get memory(): Buffer {
    return this.#memory;
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
    this.#write();
  }

  #write(): void {
    this.#seal();
    const [parts, releases, block, bytes] = [this.#parts, this.#releases, this.#block, this.#bytes];
    if (block === undefined) return;
    this.#parts = [];
    this.#releases = [];
    this.#block = undefined;
    this.#start = this.#end = this.#bytes = 0;
    const socket = this.#socket;
    const last = parts.pop();
    if (last === undefined || !socket.writable) {
      returnBlock(block);
      return releaseAll(releases);
    }
    const isWaste = socket.writableNeedDrain && bytes < wastefulBytes;
    if (isWaste || !maySendBlock()) return this.#writeCopied([...parts, last], block, releases);
    if (parts.length > 0) socket.cork();
    for (const part of parts) socket.write(part);
    socket.write(last, (error) => {
      blockWritten(block, error);
      releaseAll(releases, error);
    });
    if (parts.length > 0) socket.uncork();
  }

  #writeCopied(parts: readonly Buffer[], block: Buffer, releases: readonly ReleaseBytes[]): void {
    this.#socket.write(Buffer.concat(parts));
    returnBlock(block);
    releaseAll(releases);
  }

  /** Discards what waits, as the connection is closed. */
  close(): void {
    this.#ready.clear();
    this.flush();
  }

  get #memory(): Buffer {
    return this.#block as Buffer;
  }

  #isFull(): boolean {
    return this.#bytes + this.#socket.writableLength >= maxInSocket;
  }

  /** Makes room for a frame; all of its payload but `outside` bytes goes to the position that is returned. */
  #frame(type: number, flags: number, stream: number, payloadBytes: number, outside = 0): number {
    const at = this.#open(frameHeaderBytes + payloadBytes - outside);
    writeHttp2FrameHead(this.#memory, at, (type << 8) | flags, stream, payloadBytes);
    return at + frameHeaderBytes;
  }

  /** Makes room in the block; what is in a full one is written. */
  #open(bytes: number): number {
    if (this.#end + bytes > gatherBytes) this.#write();
    this.#block ??= takeBlock();
    const at = this.#end;
    this.#end = at + bytes;
    this.#bytes += bytes;
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      flushLater(this);
    }
    return at;
  }

  #seal(): void {
    if (this.#end > this.#start) this.#parts.push(this.#memory.subarray(this.#start, this.#end));
    this.#start = this.#end;
  }

  /** A source may queue more when its queue is emptied; the running loop then serves it again. */
  #pump(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    try {
      for (const source of this.#ready) {
        if (this.#window <= 0 || this.#isFull()) return;
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
    const flags = isLast ? frameFlag.endStream : 0;
    if (bytes < copyBelowBytes || this.#bytes + source.queuedBytes <= joinBelowBytes) {
      const at = this.#frame(frameType.data, flags, source.id, bytes);
      source.copy(bytes, this.#memory, at);
    } else {
      this.#frame(frameType.data, flags, source.id, bytes, bytes);
      this.#seal();
      source.take(bytes, this.#parts, this.#releases);
      this.#bytes += bytes;
    }
    this.#window -= bytes;
    source.sendWindow -= bytes;
    if (source.queuedBytes > 0) this.#ready.add(source);
    else source.emptied();
  }
}

function releaseAll(releases: readonly ReleaseBytes[], error?: Error | null): void {
  for (const release of releases) release(error);
}
