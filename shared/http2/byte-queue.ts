const noBytes: Buffer = Buffer.alloc(0);

/** Called when bytes are no longer needed; with an error where they may still be read. */
export type ReleaseBytes = (error?: Error | null) => void;

interface Piece {
  readonly bytes: Buffer;
  readonly release: ReleaseBytes | undefined;
}

const taken: Piece = { bytes: noBytes, release: undefined };

/** A queue of buffers from which any number of bytes can be taken. Nothing is copied. */
export class ByteQueue {
  #pieces: Piece[] = [];
  #first = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(bytes: Buffer, release?: ReleaseBytes): void {
    if (bytes.length === 0) return release?.();
    this.#pieces.push({ bytes, release });
    this.#length += bytes.length;
  }

  /** Moves the first bytes to the end of `into`, and the release callbacks of fully taken pieces to `releases`. */
  take(bytes: number, into: Buffer[], releases: ReleaseBytes[]): void {
    this.#length -= bytes;
    for (let left = bytes; left > 0;) {
      const piece = this.#pieces[this.#first] as Piece;
      if (piece.bytes.length > left) {
        into.push(piece.bytes.subarray(0, left));
        this.#pieces[this.#first] = { bytes: piece.bytes.subarray(left), release: piece.release };
        return;
      }
      into.push(piece.bytes);
      if (piece.release !== undefined) releases.push(piece.release);
      left -= piece.bytes.length;
      this.#drop();
    }
  }

  /** Copies the first bytes to `into`, and releases the pieces that they were all of. */
  copy(bytes: number, into: Buffer, at: number): void {
    this.#length -= bytes;
    const end = at + bytes;
    for (let to = at; to < end;) {
      const { bytes: piece, release } = this.#pieces[this.#first] as Piece;
      const copied = piece.copy(into, to, 0, end - to);
      to += copied;
      if (copied < piece.length) {
        this.#pieces[this.#first] = { bytes: piece.subarray(copied), release };
        return;
      }
      this.#drop();
      release?.();
    }
  }

  clear(): void {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#first = 0;
    this.#length = 0;
    for (const { release } of pieces) release?.();
  }

  #drop(): void {
    this.#pieces[this.#first] = taken;
    this.#first++;
    if (this.#first === this.#pieces.length) {
      this.#pieces.length = 0;
      this.#first = 0;
    } else if (this.#first >= 1024 && this.#first * 2 >= this.#pieces.length) {
      this.#pieces = this.#pieces.slice(this.#first);
      this.#first = 0;
    }
  }
}
