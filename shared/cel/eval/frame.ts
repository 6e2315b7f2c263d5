import { CelError, type Value } from '../values/value.ts';

/** Where variables come from; a Map is one. */
export interface Bindings {
  get(name: string): Value | undefined;
}

/** One evaluation. */
export interface Frame {
  readonly bindings: Bindings;
  /** Of comprehensions: what iterates and what accumulates, each at a place of its own. */
  readonly slots: (Value | undefined)[];
  cost: number;
  readonly limit: number;
  /** Turns of loops, to look at the clock from time to time. */
  turns: number;
  /** When an evaluation in one go gives up, on the clock of `performance.now()`. */
  readonly deadline: number;
}

export type Evaluate = (frame: Frame) => Value;

/** Thrown out of an evaluation whose cost went beyond its limit. */
export class CostLimitExceeded extends Error {}

/** Thrown out of an evaluation in one go that takes too long: it begins again in steps. */
export class TooLong extends Error {}

const costLimitExceeded = new CostLimitExceeded();
const tooLong = new TooLong();

/** What an evaluation beyond its limit answers. */
export const costLimitError = new CelError('operation cancelled: actual cost limit exceeded');

/** @throws CostLimitExceeded */
export function charge(frame: Frame, cost: number): void {
  if ((frame.cost += cost) > frame.limit) throw costLimitExceeded;
}

/** Counts a turn of a loop; one turn may take milliseconds, as comparing large lists costs little. @throws TooLong */
export function countTurn(frame: Frame): void {
  if ((++frame.turns & 1) === 0 && frame.deadline !== Number.POSITIVE_INFINITY && performance.now() > frame.deadline) throw tooLong;
}

/** Leaves work that may be long to the evaluation in steps. @throws TooLong */
export function leaveToSteps(frame: Frame): void {
  if (frame.deadline !== Number.POSITIVE_INFINITY) throw tooLong;
}
