import { CelList, type Value } from './value.ts';

/** A list over an array, which must not be changed afterwards. */
export class ArrayList extends CelList {
  readonly items: readonly Value[];

  constructor(items: readonly Value[]) {
    super();
    this.items = items;
  }

  get size(): number {
    return this.items.length;
  }

  get(index: number): Value {
    return this.items[index] as Value;
  }
}

/** The numbers from 0 up to `size` (exclusive). */
export class RangeList extends CelList {
  readonly size: number;

  constructor(size: number) {
    super();
    this.size = size;
  }

  get(index: number): Value {
    return index;
  }
}

/** All elements, for functions that need an array. */
export function elementsOf(list: CelList): readonly Value[] {
  if (list instanceof ArrayList) return list.items;
  if (list instanceof ConcatenatedList) return list.items();
  return Array.from({ length: list.size }, (_, index) => list.get(index));
}

/**
 * Longer lists are not collected into an array when an element is read: a list that is repeatedly added to itself grows
 * exponentially.
 */
const maxCollected = 100_000;

/** The concatenation of two lists; short ones are collected into an array when the first element is read. */
export class ConcatenatedList extends CelList {
  readonly size: number;
  readonly #left: CelList;
  readonly #right: CelList;
  #items: readonly Value[] | undefined;

  constructor(left: CelList, right: CelList) {
    super();
    this.#left = left;
    this.#right = right;
    this.size = left.size + right.size;
  }

  get(index: number): Value {
    if (this.size <= maxCollected) return this.items()[index] as Value;
    let [list, at] = this.partAt(index);
    while (list instanceof ConcatenatedList) [list, at] = list.partAt(at);
    return list.get(at);
  }

  /** The list, left or right, that holds an element, and the index of the element in that list. */
  partAt(index: number): [CelList, number] {
    const { size } = this.#left;
    return index < size ? [this.#left, index] : [this.#right, index - size];
  }

  /** All elements; they are collected into an array on the first call. */
  items(): readonly Value[] {
    if (this.#items !== undefined) return this.#items;
    const items: Value[] = [];
    const pending: CelList[] = [this];
    for (let list = pending.pop(); list !== undefined; list = pending.pop()) {
      if (list instanceof ConcatenatedList && list.#items === undefined) pending.push(list.#right, list.#left);
      else for (let index = 0; index < list.size; index++) items.push(list.get(index));
    }
    this.#items = items;
    return items;
  }
}

/** The list that a comprehension builds. Items are added in place, as only the comprehension uses it meanwhile. */
export class GrowingList extends CelList {
  readonly items: Value[] = [];

  get size(): number {
    return this.items.length;
  }

  get(index: number): Value {
    return this.items[index] as Value;
  }

  override plus(other: CelList): Value {
    for (let index = 0, { size } = other; index < size; index++) this.items.push(other.get(index));
    return this;
  }
}
