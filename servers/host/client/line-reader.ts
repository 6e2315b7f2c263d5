/** Finds lines in a stream of text. */
export class LineReader {
  readonly #take: (line: string) => void;
  #parts: string[] = [];

  constructor(take: (line: string) => void) {
    this.#take = take;
  }

  add(text: string): void {
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      this.#parts.push(text.slice(start, end));
      start = end + 1;
      this.#take(this.#parts.splice(0).join(''));
    }
    if (start < text.length) this.#parts.push(text.slice(start));
  }
}
