/** Encoded events in their order, counted by number and bytes. */
export class LineQueue {
  #lines: Buffer[] = [];
  /** The first line that was not taken. */
  #first = 0;
  #bytes = 0;

  get length(): number {
    return this.#lines.length - this.#first;
  }

  get bytes(): number {
    return this.#bytes;
  }

  push(line: Buffer): void {
    this.#lines.push(line);
    this.#bytes += line.length;
  }

  /** Takes the oldest lines: at least one, if there is one, and then as many as keep to the limits. */
  take(maxCount: number, maxBytes: number): Buffer[] {
    let bytes = 0;
    let end = this.#first;
    for (; end < this.#lines.length && end - this.#first < maxCount; end++) {
      const next = this.#lines[end]?.length ?? 0;
      if (end > this.#first && bytes + next > maxBytes) break;
      bytes += next;
    }
    const taken = this.#lines.slice(this.#first, end);
    this.#bytes -= bytes;
    this.#first = end;
    // Each line is moved once on average, however long the queue is.
    if (this.#first * 2 >= this.#lines.length) {
      this.#lines = this.#lines.slice(this.#first);
      this.#first = 0;
    } else this.#lines.fill(nothing, end - taken.length, end);
    return taken;
  }
}

/** In the place of lines that were taken, which could not be freed otherwise. */
const nothing = Buffer.alloc(0);
