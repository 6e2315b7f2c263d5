import { Buffer } from 'node:buffer';

const chunkLength = 1 << 16;

/** Text that becomes bytes in parts, so that no step of the work takes long; they are never joined. */
export class ChunkedText {
  readonly #chunks: Buffer[] = [];
  #text = '';

  add(text: string): void {
    this.#text += text;
    if (this.#text.length >= chunkLength) this.#flush();
  }

  chunks(): readonly Buffer[] {
    this.#flush();
    return this.#chunks;
  }

  #flush(): void {
    this.#chunks.push(Buffer.from(this.#text));
    this.#text = '';
  }
}
