import type { JsonValue } from '#shared/apimachinery/json/json.ts';

const blockSize = 2048;

/** A list in blocks, so that an insertion or removal moves the items of one block only. */
export class LongList {
  readonly #blocks: JsonValue[][] = [];
  #length: number;

  constructor(items: readonly JsonValue[]) {
    this.#length = items.length;
    for (let at = 0; at < items.length; at += blockSize) this.#blocks.push(items.slice(at, at + blockSize));
  }

  get length(): number {
    return this.#length;
  }

  at(index: number): JsonValue | undefined {
    const { block, at } = this.#find(index);
    return block[at];
  }

  set(index: number, value: JsonValue): void {
    const { block, at } = this.#find(index);
    block[at] = value;
  }

  insert(index: number, value: JsonValue): void {
    const { block, at, number } = this.#find(index);
    block.splice(at, 0, value);
    this.#length++;
    if (block.length >= 2 * blockSize) this.#blocks.splice(number + 1, 0, block.splice(blockSize));
  }

  remove(index: number): void {
    const { block, at, number } = this.#find(index);
    block.splice(at, 1);
    this.#length--;
    if (block.length === 0) this.#blocks.splice(number, 1);
  }

  *items(): Generator<JsonValue> {
    for (const block of this.#blocks) yield* block;
  }

  /** The block of an item and its place there; the end of the last block for the end of the list. */
  #find(index: number): { readonly block: JsonValue[]; readonly at: number; readonly number: number } {
    let at = index;
    for (const [number, block] of this.#blocks.entries()) {
      if (at < block.length || (at === block.length && number === this.#blocks.length - 1))
        return { block, at, number };
      at -= block.length;
    }
    const block: JsonValue[] = [];
    this.#blocks.push(block);
    return { block, at: 0, number: this.#blocks.length - 1 };
  }
}
