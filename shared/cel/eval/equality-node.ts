import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import type { CelType, Kind } from '#shared/cel/values/cel-type.ts';
import { equals, equalsInSteps, holdsValues } from '#shared/cel/values/equality.ts';
import { CelError, type Value } from '#shared/cel/values/value.ts';
import type { Cost } from './calls.ts';
import { charge, checkClock, countedSteps, isClockedText, type Frame } from './frame.ts';
import { stepsOf, type Node } from './node.ts';

/** Types whose values contain no other values and have a fixed size. */
const shortKinds: ReadonlySet<Kind> = new Set([
  'bool',
  'double',
  'duration',
  'int',
  'null',
  'timestamp',
  'type',
  'uint',
]);

/**
 * The node of `==` or `!=`. Lists and maps are compared in steps, as the cost counts only their outermost size and so
 * does not bound the work.
 */
export function equalityNode(
  left: Node,
  right: Node,
  types: readonly (CelType | undefined)[],
  cost: Cost | undefined,
  isNegated: boolean,
): Node {
  const finish = (frame: Frame, a: Value, b: Value, equal: Value): Value => {
    const result = isNegated && !(a instanceof CelError) && !(b instanceof CelError) ? equal !== true : equal;
    // In the most frequent case, one of the two values has the size 1 and the comparison costs 1.
    charge(
      frame,
      cost === undefined || typeof a === 'number' || typeof b === 'number' || typeof a === 'boolean'
        ? 1
        : cost([a, b], result),
    );
    return result;
  };
  const isShort = types.some((type) => type !== undefined && shortKinds.has(type.kind));
  const { evaluate: evaluateLeft } = left;
  const { evaluate: evaluateRight } = right;
  return {
    evaluate(frame) {
      const a = evaluateLeft(frame);
      const b = evaluateRight(frame);
      if (!isShort && isClockedText(a) && isClockedText(b)) checkClock(frame);
      return finish(frame, a, b, equals(a, b));
    },
    steps:
      isShort && left.steps === undefined && right.steps === undefined
        ? undefined
        : function* steps(frame): Steps<Value> {
            const a = yield* stepsOf(left, frame);
            const b = yield* stepsOf(right, frame);
            if (sliceIsOver()) yield;
            return finish(frame, a, b, holdsValues(a) ? yield* countedSteps(frame, equalsInSteps(a, b)) : equals(a, b));
          },
  };
}
