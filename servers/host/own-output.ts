/** What is kept at most, for one error. */
const keptCharacters = 64 * 1024;

interface Stream {
  write(...given: readonly unknown[]): boolean;
}

/** What this process writes on its streams, so that an error can tell what servers said before it. */
export class OwnOutput {
  #text = '';
  /** The characters that came before those that are kept. */
  #dropped = 0;

  /** @param streams each write to one of them is noted, and goes on as it was */
  constructor(streams: readonly Stream[] = [process.stdout, process.stderr]) {
    for (const stream of streams) {
      const write = stream.write.bind(stream);
      stream.write = (chunk, ...rest) => {
        this.#note(String(chunk));
        return write(chunk, ...rest);
      };
    }
  }

  /** How much was written so far. */
  get position(): number {
    return this.#dropped + this.#text.length;
  }

  /** What was written after a position; without its beginning, if that is long ago. */
  after(position: number): string {
    return this.#text.slice(Math.max(0, position - this.#dropped));
  }

  #note(text: string): void {
    const all = this.#text + text;
    this.#text = all.slice(-keptCharacters);
    this.#dropped += all.length - this.#text.length;
  }
}
