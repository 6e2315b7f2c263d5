import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { CelError, type Value } from '#shared/cel/values/value.ts';
import { limitWork, workSpent } from '#shared/cel/values/work-limit.ts';

/** The values of the variables; a Map satisfies this interface. */
export interface Bindings {
  get(name: string): Value | undefined;
}

/** The state of one evaluation. */
export interface Frame {
  readonly bindings: Bindings;
  /** Variables and accumulators of comprehensions, each at its own index. */
  readonly slots: (Value | undefined)[];
  cost: number;
  readonly limit: number;
  /** Iterations so far; the clock is checked at every second one. */
  turns: number;
  /** Batches of values that an evaluation in steps may still compare and copy (values/work-limit.ts). */
  workLeft: number;
  /**
   * The time, by `performance.now()`, after which an evaluation that does not pause is aborted. Infinity: never; 0: not
   * set yet.
   */
  deadline: number;
}

/** Milliseconds after which an evaluation without pauses is aborted and restarted in steps. */
const inOneGoMs = 2;
/** The first iteration that checks the clock; most loops end earlier. */
const firstClockCheck = 4;

export type Evaluate = (frame: Frame) => Value;

/** Thrown when an evaluation exceeds its cost limit. */
export class CostLimitExceeded extends Error {}

/** Thrown when an evaluation that cannot yield takes too long; it starts again in steps. */
export class EvaluationTooLong extends Error {}

const costLimitExceeded = new CostLimitExceeded();
const tooLong = new EvaluationTooLong();

/** The most batches that one function processes without a pause when the evaluation runs in steps. */
export const maxWorkPerTurn = 250;

/**
 * The most batches of one evaluation: ten million values. A rule that compares an object of 3 MB with its old version
 * takes a tenth of that.
 */
export const maxWork = 10_000;

/** Sets the work limit before a function runs without a pause in an evaluation in steps. */
export function beginWork({ workLeft }: Frame): void {
  limitWork(Math.min(maxWorkPerTurn, workLeft));
}

/** Subtracts the work that the function did; called after it. */
export function endWork(frame: Frame): void {
  frame.workLeft -= workSpent();
}

/**
 * Passes on steps that yield once per batch, or yield a promise to wait for. @throws CostLimitExceeded when the
 * evaluation's work limit is exceeded
 */
export function* countedSteps<T>(frame: Frame, steps: Steps<T>): Steps<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (!(step.value instanceof Promise) && --frame.workLeft < 0) throw costLimitExceeded;
    yield step.value;
  }
}

/** Charges a cost of 1 `count` times. @throws CostLimitExceeded */
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
 * Counts one iteration of a loop and checks the clock at every second one: a single iteration may take milliseconds,
 * since comparing large lists costs little.
 * @throws EvaluationTooLong
 */
export function countIteration(frame: Frame): void {
  const turn = ++frame.turns;
  if ((turn & 1) === 0 && turn >= firstClockCheck) checkClock(frame);
}

/** Checks the clock; called between parts of an evaluation that together may take long. @throws EvaluationTooLong */
export function checkClock(frame: Frame): void {
  if (frame.deadline === Number.POSITIVE_INFINITY) return;
  const now = performance.now();
  if (frame.deadline === 0) frame.deadline = now + inOneGoMs;
  else if (now > frame.deadline) throw tooLong;
}

/** The length of a text from which on the clock is checked: work on such a text takes a microsecond or more. */
const notableText = 1024;

export function isClockedText(value: Value): boolean {
  return (typeof value === 'string' || value instanceof Uint8Array) && value.length >= notableText;
}

/**
 * Aborts an evaluation without pauses before work that may take long; it restarts in steps.
 * @throws EvaluationTooLong
 */
export function restartInSteps(frame: Frame): void {
  if (frame.deadline !== Number.POSITIVE_INFINITY) throw tooLong;
}
