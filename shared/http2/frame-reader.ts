import { BytePieces } from '../apimachinery/byte-pieces.ts';
import { AbruptEnd, ConnectionFault, errorCode, frameHeaderBytes } from './frames.ts';

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');

/** @param payload valid as long as the bytes that it came in */
export type FrameHandler = (type: number, flags: number, stream: number, payload: Buffer) => void;

/** Cuts what a client sends into frames. Payloads are parts of what came, and copied only where they came in pieces. */
export class FrameReader {
  readonly #largest: number;
  readonly #onFrame: FrameHandler;
  #prefaceLeft = preface.length;
  /** What came of a frame that is not whole, and how long it is. */
  readonly #begun = new BytePieces();
  #needed = 0;

  /** @param largest payload that is taken */
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
    let at = 0;
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
    if (at < bytes.length) this.#keep(bytes.subarray(at));
  }

  #keep(rest: Buffer): void {
    this.#begun.push(rest);
    this.#needed = rest.length < frameHeaderBytes ? frameHeaderBytes : frameHeaderBytes + rest.readUIntBE(0, 3);
  }

  #withoutPreface(chunk: Buffer): Buffer {
    const length = Math.min(this.#prefaceLeft, chunk.length);
    const from = preface.length - this.#prefaceLeft;
    if (preface.compare(chunk, 0, length, from, from + length) !== 0) throw new AbruptEnd('not HTTP/2');
    this.#prefaceLeft -= length;
    return chunk.subarray(length);
  }
}
