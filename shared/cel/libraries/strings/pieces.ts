/** Pieces that are put together at a time: joining millions at once takes tens of milliseconds. */
const together = 4096;

/** A text that is made piece by piece. */
export class Pieces {
  #text = '';
  #pieces: string[] = [];

  add(piece: string): void {
    if (this.#pieces.push(piece) === together) this.#join();
  }

  text(): string {
    this.#join();
    return this.#text;
  }

  #join(): void {
    this.#text += this.#pieces.join('');
    this.#pieces = [];
  }
}
