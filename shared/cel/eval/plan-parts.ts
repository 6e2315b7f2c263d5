import { compiledPattern } from '#shared/apimachinery/regexp/compiled-patterns.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { ProgramError } from '#shared/cel/values/errors.ts';
import { CelOptional, type Value } from '#shared/cel/values/value.ts';
import type { Attribute, Qualifier } from './node.ts';
import { stepsOf, type Node } from './node.ts';
import { keyError } from './qualify.ts';

export function* checkPattern(pattern: string): Steps<void> {
  const { error } = yield* compiledPattern(pattern);
  if (error !== undefined) throw new ProgramError(error);
}

export function slotNode(place: number): Node {
  return { evaluate: ({ slots }) => slots[place] as Value, steps: undefined };
}

export function constantKey(key: Value, optional: boolean, testOnly: boolean): Qualifier {
  const wrong = keyError(key);
  if (wrong !== undefined) throw new ProgramError(wrong.message);
  return { key, keyNode: undefined, optional, testOnly };
}

/** The attribute of a node; for other nodes a new attribute that selects from the node's value. */
export function attributeOf(node: Node): Attribute {
  return node.attribute ?? { root: node, qualifiers: [] };
}

/** `or` and `orValue`: evaluates the right operand only if the left one is empty. Charges only the operands. */
export function optionalOr(left: Node, right: Node, take: (optional: CelOptional) => Value): Node {
  const isSettled = (value: Value): boolean => !(value instanceof CelOptional) || value.value !== undefined;
  const settle = (value: Value): Value => (value instanceof CelOptional ? take(value) : value);
  return {
    evaluate(frame) {
      const value = left.evaluate(frame);
      return isSettled(value) ? settle(value) : right.evaluate(frame);
    },
    steps:
      left.steps === undefined && right.steps === undefined
        ? undefined
        : function* steps(frame): Steps<Value> {
            const value = yield* stepsOf(left, frame);
            return isSettled(value) ? settle(value) : yield* stepsOf(right, frame);
          },
  };
}
