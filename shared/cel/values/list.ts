import { CelList, type Value } from './value.ts';

/** A list over an array, which nobody changes afterwards. */
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

/** All elements, for functions that need an array. */
export function elementsOf(list: CelList): readonly Value[] {
  if (list instanceof ArrayList) return list.items;
  return Array.from({ length: list.size }, (_, index) => list.get(index));
}
