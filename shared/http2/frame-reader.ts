import { BytePieces } from '#shared/apimachinery/bytes/byte-pieces.ts';
import { AbruptEnd, ConnectionFault, errorCode, frameFlag, frameHeaderBytes, frameType } from './frames.ts';

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');

/** @param payload a view of the received bytes, valid as long as they are */
export type FrameHandler = (type: number, flags: number, stream: number, payload: Buffer) => void;

/** A DATA frame whose first part was already passed on. */
interface OpenData {
  readonly flags: number;
  readonly stream: number;
  /** Bytes that have not been received yet. */
  left: number;
}

/**
 * Cuts the bytes that a client sends into frames. Payloads are views of the received buffers: a DATA frame that arrives
 * in several buffers is passed on as several frames, and only the last one has END_STREAM. So a body is neither delayed
 * nor copied. Other frames, and padded DATA, are joined first.
 */
export class FrameReader {
  readonly #largest: number;
  readonly #onFrame: FrameHandler;
  #prefaceLeft = preface.length;
  /** The received part of an incomplete frame, and its full size. */
  readonly #begun = new BytePieces();
  #needed = 0;
  #openData: OpenData | undefined;

  /** @param largest size of the largest payload that is accepted */
  constructor(largest: number, onFrame: FrameHandler) {
    this.#largest = largest;
    this.#onFrame = onFrame;
  }

  /** @throws ConnectionFault, AbruptEnd, and what the handler throws */
  push(chunk: Buffer): void {
    let bytes = this.#prefaceLeft === 0 ? chunk : this.#withoutPreface(chunk);
    if (this.#begun.length > 0) {
      this.#begun.push(bytes);
      if (this.#begun.length < this.#needed) return;
      bytes = this.#begun.takeAll();
    }
    let at = this.#openData === undefined ? 0 : this.#restOfData(this.#openData, bytes);
    while (bytes.length - at >= frameHeaderBytes) {
      const length = ((bytes[at] as number) << 16) | ((bytes[at + 1] as number) << 8) | (bytes[at + 2] as number);
      if (length > this.#largest) throw new ConnectionFault(errorCode.frameSize, 'frame too large');
      const end = at + frameHeaderBytes + length;
      if (end > bytes.length) break;
      this.#onFrame(
        bytes[at + 3] as number,
        bytes[at + 4] as number,
        bytes.readUInt32BE(at + 5) & 0x7fff_ffff,
        bytes.subarray(at + frameHeaderBytes, end),
      );
      at = end;
    }
    if (at < bytes.length) this.#begin(bytes.subarray(at));
  }

  /** Handles the first piece of an incomplete frame. */
  #begin(piece: Buffer): void {
    if (!comesInPieces(piece)) return this.#keep(piece, wholeLength(piece));
    if (piece.length === frameHeaderBytes) return this.#keep(piece, frameHeaderBytes + 1);
    const payload = piece.subarray(frameHeaderBytes);
    const [flags, stream] = [piece[4] as number, piece.readUInt32BE(5) & 0x7fff_ffff];
    this.#openData = { flags, stream, left: wholeLength(piece) - piece.length };
    this.#onFrame(frameType.data, flags & ~frameFlag.endStream, stream, payload);
  }

  /** @returns how much of the bytes belonged to the frame */
  #restOfData(open: OpenData, bytes: Buffer): number {
    const payload = bytes.subarray(0, open.left);
    open.left -= payload.length;
    if (open.left === 0) this.#openData = undefined;
    const flags = open.left === 0 ? open.flags : open.flags & ~frameFlag.endStream;
    this.#onFrame(frameType.data, flags, open.stream, payload);
    return payload.length;
  }

  /** Keeps a piece until `needed` bytes have been received. */
  #keep(piece: Buffer, needed: number): void {
    this.#begun.push(piece);
    this.#needed = needed;
  }

  #withoutPreface(chunk: Buffer): Buffer {
    const length = Math.min(this.#prefaceLeft, chunk.length);
    const from = preface.length - this.#prefaceLeft;
    if (preface.compare(chunk, 0, length, from, from + length) !== 0) throw new AbruptEnd('not HTTP/2');
    this.#prefaceLeft -= length;
    return chunk.subarray(length);
  }
}

/** The size of the frame, if its header has been received; otherwise the size of a header. */
function wholeLength(piece: Buffer): number {
  return piece.length < frameHeaderBytes ? frameHeaderBytes : frameHeaderBytes + piece.readUIntBE(0, 3);
}

/** Whether it is DATA without padding: padding can be removed only when the frame is complete. */
function comesInPieces(piece: Buffer): boolean {
  return (
    piece.length >= frameHeaderBytes && piece[3] === frameType.data && ((piece[4] as number) & frameFlag.padded) === 0
  );
}
