import type { Pieces } from '../forms/list-body.ts';

const pieceBytes = 256 * 1024;

/** Takes the pieces of a body, for a time and up to a number of bytes, and joins them: a write costs more than a copy. */
export class PieceReader {
  readonly #pieces: Iterator<Uint8Array, unknown>;
  #pending: Uint8Array[] = [];
  #bytes = 0;
  #done = false;
  /** Of a piece that is larger than a block. */
  #rest: Uint8Array | undefined;

  constructor(pieces: Pieces) {
    this.#pieces = pieces[Symbol.iterator]();
  }

  /** All pieces were read. */
  get done(): boolean {
    return this.#done;
  }

  /** Bytes that were read and not taken. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Reads until `endMs` of the clock, until so many bytes are there, or to the end. */
  read(endMs: number, maxBytes: number): void {
    for (let count = 1; !this.#done && this.#bytes < maxBytes; count++) {
      const piece = this.#rest ?? this.#next();
      if (piece === undefined) return;
      this.#rest = piece.length > pieceBytes ? piece.subarray(pieceBytes) : undefined;
      const part = this.#rest === undefined ? piece : piece.subarray(0, pieceBytes);
      if (part.length > 0) this.#pending.push(part);
      this.#bytes += part.length;
      // Looking at the clock costs more than a short piece that is at hand.
      if ((piece.length === 0 || piece.length >= shortPiece || count % piecesAtOnce === 0) && performance.now() >= endMs) return;
    }
  }

  #next(): Uint8Array | undefined {
    const step = this.#pieces.next();
    if (step.done !== true) return step.value;
    this.#done = true;
    return undefined;
  }

  /** Of what was read about so many bytes, joined where that is worth it; the rest stays as it came, which costs no memory of its own. */
  take(maxBytes: number): Uint8Array {
    let count = 0;
    let bytes = 0;
    while (count < this.#pending.length && bytes < maxBytes) bytes += (this.#pending[count++] as Uint8Array).length;
    const [only] = this.#pending;
    const taken = count === 1 && only !== undefined ? only : Buffer.concat(this.#pending.slice(0, count), bytes);
    this.#pending = count === this.#pending.length ? [] : this.#pending.slice(count);
    this.#bytes -= bytes;
    return taken;
  }

  /** What was read, as it came. */
  takeChunks(): readonly Uint8Array[] {
    const taken = this.#pending;
    this.#pending = [];
    this.#bytes = 0;
    return taken;
  }

  /** Nobody wants the rest. */
  stop(): void {
    this.#pending = [];
    this.#rest = undefined;
    this.#done = true;
    this.#pieces.return?.();
  }
}

const shortPiece = 256;
const piecesAtOnce = 8;
