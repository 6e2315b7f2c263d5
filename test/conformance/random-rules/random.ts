/** Numbers that a seed determines. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed % 2_147_483_647 || 1;
  }

  /** From 0 to below the bound. */
  below(bound: number): number {
    return (this.#state = (this.#state * 48_271) % 2_147_483_647) % bound;
  }

  /** True one time of so many. */
  oneOf(times: number): boolean {
    return this.below(times) === 0;
  }

  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new Error('nothing to pick from');
    return items[this.below(items.length)] as T;
  }
}
