import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { CelDouble, CelError, CelUint, type CelList, type Value } from '#shared/cel/values/value.ts';
import { constantNode, stepsOf, type Node } from './node.ts';

/**
 * `x in [constants]` as a look-up in a set, which costs nothing; undefined if the list has elements other than numbers,
 * strings and bools.
 */
export function membershipNode(element: Node, list: CelList): Node | undefined {
  if (list.size === 0) return constantNode(false);
  const known = new Set<unknown>();
  for (let index = 0; index < list.size; index++) {
    const key = keyOf(list.get(index));
    if (key === undefined) return undefined;
    known.add(key);
  }
  known.delete(Number.NaN);
  const test = (value: Value): Value => (value instanceof CelError ? value : known.has(keyOf(value)));
  const { steps } = element;
  return {
    evaluate: (frame) => test(element.evaluate(frame)),
    steps:
      steps === undefined
        ? undefined
        : function* run(frame): Steps<Value> {
            return test(yield* stepsOf(element, frame));
          },
  };
}

/** The key of a value in the set; equal numbers of different types have the same key. */
function keyOf(value: Value): string | number | bigint | boolean | undefined {
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'bigint')
    return value;
  if (value instanceof CelUint) return value.value;
  if (!(value instanceof CelDouble)) return undefined;
  return Number.isInteger(value.value) && !Number.isSafeInteger(value.value) ? BigInt(value.value) : value.value + 0;
}
