import { PassThrough } from 'node:stream';
import type { Readable } from 'node:stream';

/** A stream of its own over a body, from which nothing is read before this stream is read. */
export class LazyBody extends PassThrough {
  readonly #source: Readable;
  #isPiped = false;

  constructor(source: Readable) {
    super();
    this.#source = source;
  }

  override _read(size: number): void {
    if (!this.#isPiped) {
      this.#isPiped = true;
      this.#source.pipe(this);
    }
    super._read(size);
  }
}
