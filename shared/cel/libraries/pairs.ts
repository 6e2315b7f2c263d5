import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { equals } from '#shared/cel/values/equality.ts';
import { CelError, type CelList, type Value } from '#shared/cel/values/value.ts';
import { countWork } from '#shared/cel/values/work-limit.ts';

/**
 * The most pairs that a function compares. Functions that compare every element with every other are charged after they
 * ran. With more pairs the charge would exceed every cost limit of Kubernetes (1,000,000), so the result would be lost.
 */
const maxPairs = 2_000_000;

export function tooManyPairs(pairs: number): CelError | undefined {
  return pairs > maxPairs ? new CelError('operation cancelled: actual cost limit exceeded') : undefined;
}

/**
 * Tests whether a list contains a value. Strings are looked up in a set that is built once; other values are looked up
 * by the view's own `includes`, if the list is a view.
 */
export class Membership {
  readonly #others: Value[] = [];
  readonly #texts = new Set<string>();
  readonly #view: CelList | undefined;

  constructor(view?: CelList) {
    this.#view = view;
  }

  static *of(list: CelList): Steps<Membership> {
    const membership = new Membership(list.includes === undefined ? undefined : list);
    for (let index = 0; index < list.size; index++) {
      membership.add(list.get(index));
      if (countWork()) yield;
    }
    return membership;
  }

  add(value: Value): void {
    if (typeof value === 'string') this.#texts.add(value);
    else this.#others.push(value);
  }

  *has(value: Value): Steps<boolean | CelError> {
    if (typeof value === 'string' && (this.#texts.has(value) || this.#others.length === 0))
      return this.#texts.has(value);
    if (this.#view?.includes !== undefined)
      return value instanceof CelError ? value : yield* this.#view.includes(value);
    for (const other of this.#others) {
      if (equals(value, other) === true) return true;
      if (sliceIsOver()) yield;
    }
    return false;
  }
}
