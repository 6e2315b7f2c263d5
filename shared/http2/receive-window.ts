/**
 * How much the peer may send (RFC 9113 section 5.2). Bytes that were read are announced to it in portions of half a
 * window.
 */
export class ReceiveWindow {
  readonly #size: number;
  readonly #announce: (bytes: number) => void;
  /** Bytes that the peer may still send. */
  #left: number;
  /** Bytes that were read but not yet announced to the peer. */
  #read = 0;

  constructor(size: number, announce: (bytes: number) => void) {
    this.#size = size;
    this.#left = size;
    this.#announce = announce;
  }

  /** Bytes came. @returns false when they are more than was allowed */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  /** Bytes that had come are out of the way. */
  give(bytes: number): void {
    this.#read += bytes;
    if (this.#read * 2 < this.#size) return;
    this.#left += this.#read;
    this.#announce(this.#read);
    this.#read = 0;
  }
}
