import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { goType } from '#shared/cel/values/go-type.ts';
import { ArrayList, GrowingList } from '#shared/cel/values/list.ts';
import { EntryMap } from '#shared/cel/values/map.ts';
import { CelError, CelList, CelMap, type Value } from '#shared/cel/values/value.ts';
import { countIteration, type Frame } from './frame.ts';
import { stepsOf, type Node } from './node.ts';

/** The planned parts of a comprehension and the slots of its variables. */
export interface Loop {
  readonly range: Node;
  readonly init: Node;
  readonly condition: Node;
  readonly step: Node;
  readonly result: Node;
  readonly variable: number;
  /** The slot of the second variable; -1 if there is only one variable. */
  readonly variable2: number;
  readonly accumulator: number;
}

export function comprehensionNode(loop: Loop): Node {
  const { condition, step } = loop;
  const [readRange, goesOn, accumulate, conclude] = [
    loop.range.evaluate,
    condition.evaluate,
    step.evaluate,
    loop.result.evaluate,
  ];
  const always = condition.constant === true;
  const turn = (frame: Frame, first: Value, second: Value): boolean => {
    countIteration(frame);
    assign(frame, loop, first, second);
    if (!always && goesOn(frame) === false) return false;
    frame.slots[loop.accumulator] = accumulate(frame);
    return true;
  };
  return {
    evaluate(frame) {
      const range = readRange(frame);
      const wrong = begin(frame, loop, range);
      if (wrong !== undefined) return wrong;
      if (range instanceof CelList) for (let at = 0; at < range.size && turn(frame, at, range.get(at)); at++);
      else
        for (const key of (range as CelMap).keys())
          if (!turn(frame, key, entryValueOf(loop, range as CelMap, key))) break;
      return finish(conclude(frame));
    },
    *steps(frame): Steps<Value> {
      const range = yield* stepsOf(loop.range, frame);
      const wrong = begin(frame, loop, range);
      if (wrong !== undefined) return wrong;
      for (const [first, second] of entries(loop, range as CelList | CelMap)) {
        if (sliceIsOver()) yield;
        assign(frame, loop, first, second);
        if (!always && (yield* stepsOf(condition, frame)) === false) break;
        frame.slots[loop.accumulator] = yield* stepsOf(step, frame);
      }
      return finish(yield* stepsOf(loop.result, frame));
    },
  };
}

/** Reads an accumulator; its initial value is evaluated when it is first read. */
export function accumulatorNode(place: number, init: Node): Node {
  const start = (frame: Frame, value: Value): Value => (frame.slots[place] = growing(value));
  return {
    evaluate(frame) {
      const value = frame.slots[place];
      return value === undefined ? start(frame, init.evaluate(frame)) : value;
    },
    steps:
      init.steps === undefined
        ? undefined
        : function* steps(frame): Steps<Value> {
            const value = frame.slots[place];
            return value === undefined ? start(frame, yield* stepsOf(init, frame)) : value;
          },
  };
}

/** Prepares a loop; returns an error if the range is invalid. */
export function begin(frame: Frame, loop: Omit<Loop, 'step'>, range: Value): Value | undefined {
  if (range instanceof CelError) return range;
  frame.slots[loop.accumulator] = undefined;
  if (range instanceof CelList || range instanceof CelMap) return undefined;
  return new CelError(
    loop.variable2 < 0
      ? `got '${goType(range)}', expected iterable type`
      : `unsupported comprehension range type: ${goType(range)}`,
  );
}

/** Sets the variables of one iteration. */
export function assign(frame: Frame, loop: Omit<Loop, 'step'>, first: Value, second: Value): void {
  if (loop.variable2 < 0) {
    frame.slots[loop.variable] = second;
  } else {
    frame.slots[loop.variable] = first;
    frame.slots[loop.variable2] = second;
  }
}

/** The last variable of an iteration over a map: the value if there are two variables, else the key. */
export function entryValueOf(loop: Omit<Loop, 'step'>, map: CelMap, key: Value): Value {
  return loop.variable2 < 0 ? key : (map.find(key) ?? null);
}

function* entries(loop: Loop, range: CelList | CelMap): Iterable<readonly [Value, Value]> {
  if (range instanceof CelList) for (let at = 0; at < range.size; at++) yield [at, range.get(at)];
  else for (const key of range.keys()) yield [key, entryValueOf(loop, range, key)];
}

function growing(value: Value): Value {
  if (value instanceof CelList && value.size === 0) return new GrowingList();
  return value instanceof CelMap && value.size === 0 ? new EntryMap() : value;
}

function finish(value: Value): Value {
  return value instanceof GrowingList ? new ArrayList(value.items) : value;
}
