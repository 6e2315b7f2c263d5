import { Buffer } from 'node:buffer';

/**
 * Smaller pieces are joined: as views they would keep the whole buffer that they came in, and cost more than their
 * bytes.
 */
const joinBelowBytes = 4 * 1024;
const firstRoomBytes = 1024;
const maxRoomBytes = 64 * 1024;

/**
 * A queue of bytes in pieces. However small the pieces are, they take little more memory than their bytes: a client
 * chooses their size, and a Buffer of one byte takes a hundred bytes of memory.
 */
export class BytePieces {
  #pieces: Buffer[] = [];
  #first = 0;
  #length = 0;
  /** The last piece, with room for more behind its `#used` bytes. */
  #open: Buffer | undefined;
  #used = 0;

  get length(): number {
    return this.#length;
  }

  push(bytes: Buffer): void {
    this.#length += bytes.length;
    // Most bodies are one piece, which is not copied: it is released with its request.
    if (bytes.length >= joinBelowBytes || bytes.length === this.#length) {
      this.#closeLast();
      if (bytes.length > 0) this.#pieces.push(bytes);
      return;
    }
    const room = this.#roomFor(bytes.length);
    room.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  /** Removes and returns the first piece. */
  shift(): Buffer | undefined {
    if (this.#first === this.#pieces.length) this.#closeLast();
    const piece = this.#pieces[this.#first];
    if (piece === undefined) return undefined;
    this.#pieces[this.#first++] = noBytes;
    if (this.#first === this.#pieces.length) {
      this.#pieces = [];
      this.#first = 0;
    }
    this.#length -= piece.length;
    return piece;
  }

  /** Removes all remaining bytes and returns them as one Buffer. */
  takeAll(): Buffer {
    this.#closeLast();
    const pieces = this.#first === 0 ? this.#pieces : this.#pieces.slice(this.#first);
    const length = this.#length;
    this.clear();
    return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces, length);
  }

  clear(): void {
    this.#pieces = [];
    this.#first = 0;
    this.#length = 0;
    this.#open = undefined;
  }

  #roomFor(bytes: number): Buffer {
    const open = this.#open;
    if (open !== undefined && open.length - this.#used >= bytes) return open;
    if (open !== undefined && open.length < maxRoomBytes) {
      const larger = Buffer.allocUnsafeSlow(Math.min(maxRoomBytes, Math.max(open.length * 2, this.#used + bytes)));
      open.copy(larger, 0, 0, this.#used);
      return (this.#open = larger);
    }
    this.#closeLast();
    this.#used = 0;
    return (this.#open = Buffer.allocUnsafeSlow(Math.max(open === undefined ? firstRoomBytes : maxRoomBytes, bytes)));
  }

  #closeLast(): void {
    if (this.#open === undefined) return;
    this.#pieces.push(this.#open.subarray(0, this.#used));
    this.#open = undefined;
  }
}

const noBytes: Buffer = Buffer.alloc(0);
