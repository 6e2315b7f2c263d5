import { limitText } from '#shared/cel/values/work-limit.ts';

/** The number of pieces that are joined at a time: joining millions at once takes tens of milliseconds. */
const together = 4096;

/** Builds a text of limited length piece by piece. */
export class StringPieces {
  #text = '';
  #pieces: string[] = [];
  #length = 0;

  /** @throws WorkLimitExceeded */
  add(piece: string): void {
    limitText((this.#length += piece.length));
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
