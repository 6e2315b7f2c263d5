const idsPerChunk = 2 ** 16;

/** A set of row ids with a bit for each id: a JavaScript Set holds at most about sixteen million entries. */
export class IdSet {
  readonly #chunks = new Map<number, Uint32Array>();

  /** @returns whether the id is new */
  add(id: number): boolean {
    const chunkAt = Math.floor(id / idsPerChunk);
    const chunk = this.#chunks.get(chunkAt) ?? new Uint32Array(idsPerChunk / 32);
    this.#chunks.set(chunkAt, chunk);
    const bit = id % idsPerChunk;
    const mask = 1 << (bit & 31);
    const word = chunk[bit >>> 5] as number;
    chunk[bit >>> 5] = word | mask;
    return (word & mask) === 0;
  }
}
