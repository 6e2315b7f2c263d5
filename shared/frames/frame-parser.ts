import { Buffer } from 'node:buffer';
import { frameHeadBytes } from './frame-head.ts';

/** A length beyond this means a broken peer, though the answer with all keys of a store is large. */
const maxPayloadBytes = 0x7fff_ffff;

export interface FrameSink {
  /** `payload` is a view on the received chunk. */
  onFrame(id: number, type: number, flags: number, payload: Buffer): void;
  /**
   * Called with each part of the payload of a long frame that arrives in several parts: such frames are not joined. A
   * sink without this gets all frames whole.
   */
  onPart?(id: number, type: number, part: Buffer, isFirst: boolean): void;
}

/** The peer does not speak the protocol. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

/** Shorter frames are joined: handling a part costs about as much as handling a frame. */
const shortestInParts = 8 * 1024;

/** A remainder of at most this many bytes is copied: a view would keep the whole received buffer alive. */
const copiedRest = 4 * 1024;

const noType = -1;
const nothing = Buffer.alloc(0);

/** Cuts a byte stream into frames. A frame that lies within one received buffer is not copied. */
export class FrameParser {
  readonly #sink: FrameSink;
  readonly #maxBytes: number;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  /** Whether the pending bytes are a copy, which does not keep the pushed buffer alive. */
  #pendingCopied = false;
  /** Size of the pending frame; that of a frame head until the size is known. */
  #needed = frameHeadBytes;
  /** The type whose long frames are passed on in parts; no type by default. */
  readonly #inParts: number;
  /** While a frame is passed on in parts: the number of its bytes not yet received, and its id. */
  #left = 0;
  #leftId = 0;

  constructor(sink: FrameSink, maxBytes = maxPayloadBytes, inParts = noType) {
    this.#sink = sink;
    this.#maxBytes = maxBytes;
    this.#inParts = inParts;
  }

  /** Whether the pending beginning of a frame is a view of the pushed buffer, whose bytes must be kept. */
  get waits(): boolean {
    return this.#pendingBytes > 0 && !this.#pendingCopied;
  }

  /** @throws FrameError when a frame is larger than the limit; the stream is then useless. */
  push(received: Buffer): void {
    const chunk = this.#left > 0 ? this.#nextPart(received) : received;
    if (this.#pendingBytes === 0) return this.#keep(chunk, this.#cut(chunk));
    this.#pending.push(chunk);
    this.#pendingBytes += chunk.length;
    this.#pendingCopied = false;
    if (this.#pendingBytes < this.#needed) return;
    const joined = Buffer.concat(this.#pending, this.#pendingBytes);
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#keep(joined, this.#cut(joined));
  }

  /** Passes on the next part of a frame that began before; returns the bytes after that frame. */
  #nextPart(received: Buffer): Buffer {
    const part = received.subarray(0, this.#left);
    this.#left -= part.length;
    this.#sink.onPart?.(this.#leftId, this.#inParts, part, false);
    return received.subarray(part.length);
  }

  /** Passes on every complete frame; returns the offset of the first incomplete one. */
  #cut(bytes: Buffer): number {
    let at = 0;
    while (bytes.length - at >= frameHeadBytes) {
      const length = bytes.readUInt32BE(at);
      if (length > this.#maxBytes) throw new FrameError(`frame of ${length} bytes is larger than ${this.#maxBytes}`);
      const end = at + frameHeadBytes + length;
      if (end > bytes.length) {
        if (bytes[at + 8] === this.#inParts && length >= shortestInParts) return this.#firstPart(bytes, at, end);
        this.#needed = end - at;
        return at;
      }
      this.#sink.onFrame(
        bytes.readUInt32BE(at + 4),
        bytes[at + 8] as number,
        bytes[at + 9] as number,
        length === 0 ? nothing : bytes.subarray(at + frameHeadBytes, end),
      );
      at = end;
    }
    this.#needed = frameHeadBytes;
    return at;
  }

  #firstPart(bytes: Buffer, at: number, end: number): number {
    this.#needed = frameHeadBytes;
    this.#left = end - bytes.length;
    this.#leftId = bytes.readUInt32BE(at + 4);
    this.#sink.onPart?.(this.#leftId, this.#inParts, bytes.subarray(at + frameHeadBytes), true);
    return bytes.length;
  }

  #keep(bytes: Buffer, from: number): void {
    if (from === bytes.length) return;
    const rest = bytes.subarray(from);
    this.#pendingCopied = rest.length <= copiedRest;
    this.#pending = [this.#pendingCopied ? Buffer.from(rest) : rest];
    this.#pendingBytes = rest.length;
  }
}
