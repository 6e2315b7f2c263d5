/**
 * The frame protocol: etcd's messages over one byte stream, many calls at a time.
 *
 *   u32 payload length · u32 call id · u8 method number · u8 flags · payload        (big endian)
 *
 * The opener numbers its calls from 1. A unary call is one frame each way. A stream is any number of frames each way; `end`
 * marks the sender's last one (it carries no message). A frame with `error` ends the call; its payload is the gRPC code (u8)
 * and the text. `cancel` from the opener drops the call without an answer. There is no flow control of single streams:
 * a reader takes what comes, a writer watches the socket.
 */
export const frameHeadBytes = 10;

export const frameFlag = { end: 1, error: 2, cancel: 4 } as const;

/** Answers of a whole keyspace are large, but a length beyond this is a broken peer. */
const maxPayloadBytes = 0x7fff_ffff;

export interface FrameSink {
  /** `payload` is a view on the received chunk. */
  onFrame(callId: number, method: number, flags: number, payload: Buffer): void;
}

/** Fills the head of a frame whose payload follows it, in this buffer or, for `extraBytes`, in further ones. */
export function writeFrameHead(frame: Buffer, callId: number, method: number, flags: number, extraBytes = 0): Buffer {
  frame.writeUInt32BE(frame.length - frameHeadBytes + extraBytes, 0);
  frame.writeUInt32BE(callId, 4);
  frame[8] = method;
  frame[9] = flags;
  return frame;
}

export function frameCallId(frame: Buffer): number {
  return frame.readUInt32BE(4);
}

export function errorFrame(callId: number, method: number, code: number, text: string): Buffer {
  const size = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(frameHeadBytes + 1 + size);
  frame[frameHeadBytes] = code;
  frame.write(text, frameHeadBytes + 1, 'utf8');
  return writeFrameHead(frame, callId, method, frameFlag.error);
}

/** The peer does not speak the protocol. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

/** Cuts a byte stream into frames. A frame that came whole is not copied. */
export class FrameParser {
  readonly #sink: FrameSink;
  readonly #maxBytes: number;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  /** Bytes that the frame at the front needs, as far as known. */
  #needed = frameHeadBytes;

  constructor(sink: FrameSink, maxBytes = maxPayloadBytes) {
    this.#sink = sink;
    this.#maxBytes = maxBytes;
  }

  /** @throws FrameError when a frame is larger than the limit; the stream is then useless. */
  push(chunk: Buffer): void {
    if (this.#pendingBytes === 0) return this.#keep(chunk, this.#cut(chunk));
    this.#pending.push(chunk);
    this.#pendingBytes += chunk.length;
    if (this.#pendingBytes < this.#needed) return;
    const joined = Buffer.concat(this.#pending, this.#pendingBytes);
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#keep(joined, this.#cut(joined));
  }

  /** Hands out every whole frame; the result is the offset of the first that is not. */
  #cut(bytes: Buffer): number {
    let at = 0;
    while (bytes.length - at >= frameHeadBytes) {
      const length = bytes.readUInt32BE(at);
      if (length > this.#maxBytes) throw new FrameError(`frame of ${length} bytes is larger than ${this.#maxBytes}`);
      const end = at + frameHeadBytes + length;
      if (end > bytes.length) {
        this.#needed = end - at;
        return at;
      }
      this.#sink.onFrame(bytes.readUInt32BE(at + 4), bytes[at + 8] as number, bytes[at + 9] as number, bytes.subarray(at + frameHeadBytes, end));
      at = end;
    }
    this.#needed = frameHeadBytes;
    return at;
  }

  #keep(bytes: Buffer, from: number): void {
    if (from === bytes.length) return;
    this.#pending = [bytes.subarray(from)];
    this.#pendingBytes = bytes.length - from;
  }
}
