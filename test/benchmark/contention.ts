/** Time between two samples, in ms. */
const everyMs = 25;
const text = JSON.stringify(
  Array.from({ length: 2000 }, (_, index) => ({ name: `item-${index}`, values: [index, index / 2, null] })),
);

/**
 * How much longer work takes than it could: other work on the machine shares caches and processors, which costs CPU
 * time as well. Told by a small piece of work that is done again and again, the usual time against the least.
 */
export class Contention {
  readonly #samples: number[] = [];
  readonly #timer = setInterval(() => this.#sample(), everyMs);

  /** 1 on a quiet machine. */
  factor(): number {
    const sorted = this.#samples.toSorted((a, b) => a - b);
    // The first one of all may be a lucky one, and the code gets faster at first.
    const [least, usual] = [sorted[Math.floor(sorted.length / 50)] ?? 1, sorted[Math.floor(sorted.length / 2)] ?? 1];
    return usual / least;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #sample(): void {
    const start = performance.now();
    JSON.parse(text);
    this.#samples.push(performance.now() - start);
  }
}
