/**
 * How much the peer may send (RFC 9113 section 5.2). Bytes that were read are given back to the peer by a WINDOW_UPDATE
 * once they are half a window.
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

  /** Counts received bytes. @returns false when they are more than the window */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  /** Gives back received bytes that were read or discarded. */
  give(bytes: number): void {
    this.#read += bytes;
    if (this.#read * 2 < this.#size) return;
    this.#left += this.#read;
    this.#announce(this.#read);
    this.#read = 0;
  }
}
