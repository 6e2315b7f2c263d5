import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { CelError, type Value } from '#shared/cel/values/value.ts';
import { beginWork, endWork, type Evaluate, type Frame } from './frame.ts';

/** One selection: by a constant key, or by a key that is evaluated each time. */
export interface Qualifier {
  readonly key: Value | undefined;
  readonly keyNode: Node | undefined;
  readonly optional: boolean;
  /** Whether the selection is a presence test, `has(a.b)`. */
  readonly testOnly: boolean;
}

/**
 * A variable or another value with the selections made from it (`a.b[c]`), or a conditional choice between two
 * attributes.
 */
export type Attribute =
  | { readonly root: Node; readonly qualifiers: Qualifier[]; readonly conditional?: undefined }
  | {
      readonly conditional: { readonly condition: Node; readonly yes: Attribute; readonly no: Attribute };
      readonly root?: undefined;
      readonly qualifiers?: undefined;
    };

/** A part of a planned expression. */
export interface Node {
  readonly evaluate: Evaluate;
  /** The evaluation in steps. Present if it may take long, as for loops and functions over long strings or lists. */
  readonly steps: ((frame: Frame) => Steps<Value>) | undefined;
  /** The value, if it is constant. */
  readonly constant?: Value;
  /** Set for variables and selections, as long as further selections may follow. */
  readonly attribute?: Attribute;
}

export function constantNode(value: Value): Node {
  return { evaluate: () => value, steps: undefined, constant: value };
}

export function isConstant(node: Node | undefined): node is Node & { readonly constant: Value } {
  return node?.constant !== undefined;
}

/** Evaluates a node in steps, or at once if it has no steps. */
export function* stepsOf(node: Node, frame: Frame): Steps<Value> {
  if (node.steps !== undefined) return yield* node.steps(frame);
  beginWork(frame);
  const value = node.evaluate(frame);
  endWork(frame);
  return value;
}

/**
 * The node of `a && b` or `a || b`. `settles` is the operand value that decides the result, whatever the other operand:
 * `false` for `&&`, `true` for `||`.
 */
export function logicNode(left: Node, right: Node, settles: boolean): Node {
  const { evaluate: evaluateLeft } = left;
  const { evaluate: evaluateRight } = right;
  return {
    evaluate(frame) {
      const a = evaluateLeft(frame);
      return a === settles ? settles : joinLogic(a, evaluateRight(frame), settles);
    },
    steps:
      left.steps === undefined && right.steps === undefined
        ? undefined
        : function* steps(frame): Steps<Value> {
            const a = yield* stepsOf(left, frame);
            return a === settles ? settles : joinLogic(a, yield* stepsOf(right, frame), settles);
          },
  };
}

/** The result of `a && b` or `a || b` if `a` does not decide it. */
export function joinLogic(a: Value, b: Value, settles: boolean): Value {
  if (b === settles) return settles;
  if (typeof a !== 'boolean') return logicError(a);
  return typeof b === 'boolean' ? !settles : logicError(b);
}

const noOverload = new CelError('no such overload');

export function logicError(value: Value): CelError {
  return value instanceof CelError ? value : noOverload;
}
