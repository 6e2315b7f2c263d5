import type { Comprehension, Expression } from '#shared/cel/syntax/expression.ts';
import { CelList, type CelMap, type Value } from '#shared/cel/values/value.ts';
import { assign, begin, comprehensionNode, entryValueOf, type Loop } from './comprehension.ts';
import { charge, chargeOnes, countIteration, type Frame } from './frame.ts';
import { joinLogic, logicNode, type Node } from './node.ts';

/** An `all` or `exists` comprehension, as the macro expands it: the condition, and the value that ends the loop. */
export interface Quantifier {
  readonly predicate: Expression;
  readonly settles: boolean;
}

/** The quantifier of a comprehension; undefined if the comprehension is not `all` or `exists`. */
export function quantifierOf({ accumulator, init, condition, step, result }: Comprehension): Quantifier | undefined {
  const isAccumulator = (part: Expression | undefined): boolean =>
    part?.kind === 'identifier' && part.name === accumulator;
  if (init.kind !== 'literal' || typeof init.value !== 'boolean' || !isAccumulator(result)) return undefined;
  const settles = !init.value;
  const going = argumentOf(condition, '@not_strictly_false');
  if (!isAccumulator(settles ? argumentOf(going, '!_') : going)) return undefined;
  if (step.kind !== 'call' || step.function !== (settles ? '_||_' : '_&&_') || !isAccumulator(step.args[0]))
    return undefined;
  const predicate = step.args[1];
  return predicate === undefined ? undefined : { predicate, settles };
}

function argumentOf(call: Expression | undefined, name: string): Expression | undefined {
  return call?.kind === 'call' && call.function === name ? call.args[0] : undefined;
}

/**
 * `all` and `exists` as one specialized loop: loop condition and accumulation are not evaluated as expressions, only
 * their cost is charged. In steps they run as ordinary comprehensions.
 */
export function quantifierNode(loop: Omit<Loop, 'step'>, predicate: Node, settles: boolean): Node {
  const readRange = loop.range.evaluate;
  const ask = predicate.evaluate;
  // The loop condition reads the accumulator and calls one or two functions.
  const conditionCost = settles ? 3 : 2;
  const goesOn = (frame: Frame, found: Value): boolean => {
    countIteration(frame);
    chargeOnes(frame, conditionCost);
    return found !== settles;
  };
  const turn = (frame: Frame, found: Value, first: Value, second: Value): Value => {
    assign(frame, loop, first, second);
    charge(frame, 1);
    return joinLogic(found, ask(frame), settles);
  };
  return {
    evaluate(frame) {
      const range = readRange(frame);
      const wrong = begin(frame, loop, range);
      if (wrong !== undefined) return wrong;
      let found: Value = !settles;
      if (range instanceof CelList) {
        const { size } = range;
        for (let at = 0; at < size && goesOn(frame, found); at++) found = turn(frame, found, at, range.get(at));
      } else {
        for (const key of (range as CelMap).keys()) {
          if (!goesOn(frame, found)) break;
          found = turn(frame, found, key, entryValueOf(loop, range as CelMap, key));
        }
      }
      charge(frame, 1);
      return found;
    },
    // `loop.result` reads the accumulator, so it also serves as the left operand of each iteration.
    steps: comprehensionNode({ ...loop, step: logicNode(loop.result, predicate, settles) }).steps,
  };
}
