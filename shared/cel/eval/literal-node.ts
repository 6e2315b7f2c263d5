import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { ProgramError } from '#shared/cel/values/errors.ts';
import { CelError, type Value } from '#shared/cel/values/value.ts';
import { charge, type Frame } from './frame.ts';
import { constantNode, isConstant, stepsOf, type Node } from './node.ts';

/** A map key of type bytes panics in Go. `||` and macros cannot absorb this error, unlike other errors. */
export const unhashable = new ProgramError('internal error: runtime error: hash of unhashable type types.Bytes');

export const conversions = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'int',
  'string',
  'timestamp',
  'type',
  'uint',
]);

/** Evaluates a node with constant operands once, and returns the value as a constant. @throws ProgramError */
export function folded(node: Node): Node {
  const value = node.evaluate({
    bindings: new Map(),
    slots: [],
    cost: 0,
    limit: Number.POSITIVE_INFINITY,
    turns: 0,
    workLeft: 0,
    deadline: Number.POSITIVE_INFINITY,
  });
  if (value instanceof CelError) throw new ProgramError(value.message);
  return constantNode(value);
}

/** A literal of a list, map or message. With `fold`, a literal of constants is evaluated once and costs nothing. */
export function literalNode(
  parts: readonly Node[],
  make: (values: readonly Value[]) => Value,
  cost: number,
  fold: boolean,
): Node {
  if (fold && parts.every(isConstant)) return constantNode(make(parts.map(({ constant }) => constant)));
  const until = (frame: Frame): Value => {
    const values: Value[] = [];
    let wrong: Value | undefined;
    for (const { evaluate } of parts) {
      const value = evaluate(frame);
      values.push(value);
      if (value instanceof CelError) {
        wrong = value;
        break;
      }
    }
    const result = wrong ?? make(values);
    charge(frame, cost);
    return result;
  };
  return {
    evaluate: until,
    steps: parts.every(({ steps }) => steps === undefined)
      ? undefined
      : function* steps(frame): Steps<Value> {
          const values: Value[] = [];
          let wrong: Value | undefined;
          for (const part of parts) {
            const value = yield* stepsOf(part, frame);
            values.push(value);
            if (value instanceof CelError) {
              wrong = value;
              break;
            }
          }
          const result = wrong ?? make(values);
          charge(frame, cost);
          return result;
        },
  };
}
