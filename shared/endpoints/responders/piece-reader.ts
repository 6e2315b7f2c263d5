import type { Pieces } from '#shared/endpoints/forms/list-body.ts';

const pieceBytes = 256 * 1024;

/**
 * Reads the pieces of a body, for a limited time and up to a number of bytes, and joins short pieces: a write costs
 * more than a copy.
 */
export class PieceReader {
  readonly #pieces: Iterator<Uint8Array, unknown>;
  #pending: Uint8Array[] = [];
  #bytes = 0;
  #done = false;
  /** The rest of a piece that is larger than a block. */
  #rest: Uint8Array | undefined;

  constructor(pieces: Pieces) {
    this.#pieces = pieces[Symbol.iterator]();
  }

  /** Whether all pieces were read. */
  get done(): boolean {
    return this.#done;
  }

  /** Bytes that were read and not yet taken. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Reads until the clock shows `endMs`, until `maxBytes` are read, or to the end. */
  read(endMs: number, maxBytes: number): void {
    for (let count = 1; !this.#done && this.#bytes < maxBytes; count++) {
      const piece = this.#rest ?? this.#next();
      if (piece === undefined) return;
      this.#rest = piece.length > pieceBytes ? piece.subarray(pieceBytes) : undefined;
      const part = this.#rest === undefined ? piece : piece.subarray(0, pieceBytes);
      if (part.length > 0) this.#pending.push(part);
      this.#bytes += part.length;
      // A check of the clock costs more than reading a short piece.
      if (
        (piece.length === 0 || piece.length >= shortPiece || count % piecesAtOnce === 0) &&
        performance.now() >= endMs
      )
        return;
    }
  }

  #next(): Uint8Array | undefined {
    const step = this.#pieces.next();
    if (step.done !== true) return step.value;
    this.#done = true;
    return undefined;
  }

  /**
   * Takes about `maxBytes` of the bytes read: short pieces are joined, long ones are returned as they are. The other
   * pieces stay, without a copy.
   */
  take(maxBytes = Number.POSITIVE_INFINITY): readonly Uint8Array[] {
    const taken: Uint8Array[] = [];
    let short: Uint8Array[] = [];
    let shortBytes = 0;
    const join = (): void => {
      if (shortBytes > 0) taken.push(short.length === 1 ? (short[0] as Uint8Array) : Buffer.concat(short, shortBytes));
      short = [];
      shortBytes = 0;
    };
    let count = 0;
    for (let bytes = 0; count < this.#pending.length && bytes < maxBytes; count++) {
      const piece = this.#pending[count] as Uint8Array;
      bytes += piece.length;
      this.#bytes -= piece.length;
      if (piece.length >= longPiece) {
        join();
        taken.push(piece);
      } else {
        short.push(piece);
        shortBytes += piece.length;
      }
    }
    join();
    this.#pending = count === this.#pending.length ? [] : this.#pending.slice(count);
    return taken;
  }

  /** Discards the rest and closes the source. */
  stop(): void {
    this.#pending = [];
    this.#rest = undefined;
    this.#done = true;
    this.#pieces.return?.();
  }
}

/** A piece of this length costs more to copy than to write by itself. */
const longPiece = 32 * 1024;
const shortPiece = 256;
const piecesAtOnce = 8;
