import type { Steps } from '../../apimachinery/slices.ts';
import { CelError, type Value } from '../values/value.ts';
import { limitWork, workSpent } from '../values/work-limit.ts';

/** The source of variables; a Map is one. */
export interface Bindings {
  get(name: string): Value | undefined;
}

/** One evaluation. */
export interface Frame {
  readonly bindings: Bindings;
  /** Variables and accumulators of comprehensions, each at its own index. */
  readonly slots: (Value | undefined)[];
  cost: number;
  readonly limit: number;
  /** Iterations so far; the clock is checked every so many. */
  turns: number;
  /** Batches of values that may still be compared and copied, where it runs in steps (values/work-limit.ts). */
  workLeft: number;
  /**
   * The time, by `performance.now()`, at which an evaluation that does not pause gives up. Infinity: never; 0: not set
   * yet.
   */
  deadline: number;
}

/** How long loops of an evaluation that could go in steps run in one go before it begins again in steps, in ms. */
const inOneGoMs = 2;
/** The first iteration that checks the clock; most loops end before. */
const firstLook = 4;

export type Evaluate = (frame: Frame) => Value;

/** Thrown when an evaluation exceeds its cost limit. */
export class CostLimitExceeded extends Error {}

/** Thrown when an evaluation that cannot yield takes too long; it starts again in steps. */
export class TooLong extends Error {}

const costLimitExceeded = new CostLimitExceeded();
const tooLong = new TooLong();

/** Most work that one function does without a pause when the evaluation runs in steps. */
export const mostWorkInOneGo = 250;

/**
 * Of an evaluation: ten million values. A rule of 3 MB that compares all it has with all there was takes a tenth of it.
 */
export const mostWork = 10_000;

/** Before a function runs in one go within an evaluation in steps. */
export function beginWork({ workLeft }: Frame): void {
  limitWork(Math.min(mostWorkInOneGo, workLeft));
}

/** Behind it. */
export function endWork(frame: Frame): void {
  frame.workLeft -= workSpent();
}

/**
 * Passes steps on that yield once a batch, or a promise to wait for. @throws CostLimitExceeded beyond the evaluation's
 * work
 */
export function* countedSteps<T>(frame: Frame, steps: Steps<T>): Steps<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (!(step.value instanceof Promise) && --frame.workLeft < 0) throw costLimitExceeded;
    yield step.value;
  }
}

/** {@link charge} of 1 so many times over. @throws CostLimitExceeded */
export function chargeOnes(frame: Frame, count: number): void {
  if (frame.cost + count <= frame.limit) frame.cost += count;
  else for (let at = 0; at < count; at++) charge(frame, 1);
}

/** The result of an evaluation that exceeds its cost limit. */
export const costLimitError = new CelError('operation cancelled: actual cost limit exceeded');

/** @throws CostLimitExceeded */
export function charge(frame: Frame, cost: number): void {
  // NaN exceeds every limit.
  if (!((frame.cost += cost) <= frame.limit)) throw costLimitExceeded;
}

/**
 * Counts one iteration of a loop and looks at the clock now and then: a single iteration may take milliseconds, for
 * comparing large lists costs little.
 * @throws TooLong
 */
export function countTurn(frame: Frame): void {
  const turn = ++frame.turns;
  if ((turn & 1) === 0 && turn >= firstLook) lookAtClock(frame);
}

/** Between parts that together may take long. @throws TooLong */
export function lookAtClock(frame: Frame): void {
  if (frame.deadline === Number.POSITIVE_INFINITY) return;
  const now = performance.now();
  if (frame.deadline === 0) frame.deadline = now + inOneGoMs;
  else if (now > frame.deadline) throw tooLong;
}

/** From how many characters on a text is worth a look at the clock: whatever is done with it takes a microsecond. */
const notableText = 1024;

export function isNotable(value: Value): boolean {
  return (typeof value === 'string' || value instanceof Uint8Array) && value.length >= notableText;
}

/** Leaves work that may be long to the evaluation in steps. @throws TooLong */
export function leaveToSteps(frame: Frame): void {
  if (frame.deadline !== Number.POSITIVE_INFINITY) throw tooLong;
}
