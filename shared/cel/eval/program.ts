import { isSliced, type Steps } from '#shared/apimachinery/slices/slices.ts';
import type { Environment } from '#shared/cel/check/environment.ts';
import type { Checked } from '#shared/cel/contract/checked.ts';
import { ProgramError } from '#shared/cel/values/errors.ts';
import { CelError, type Value } from '#shared/cel/values/value.ts';
import { limitWork, WorkLimitExceeded } from '#shared/cel/values/work-limit.ts';
import {
  CostLimitExceeded,
  costLimitError,
  maxWork,
  maxWorkPerTurn,
  EvaluationTooLong,
  type Bindings,
  type Frame,
} from './frame.ts';
import { stepsOf, type Node } from './node.ts';
import { Planner } from './planner.ts';

/** The outcome of an evaluation: a value, which may be a CelError, and the cost. */
export interface Evaluated {
  readonly value: Value;
  readonly cost: number;
}

/** The most batches that {@link Program.attempt} compares and copies before it gives up. */
const maxWorkOfAttempt = 50;

/** A compiled expression, to be evaluated any number of times. */
export class Program {
  readonly checked: Checked;
  readonly #root: Node;
  /** The empty slots that each evaluation starts with, one for each comprehension variable. */
  readonly #slots: readonly undefined[];

  private constructor(checked: Checked, root: Node, slots: number) {
    this.checked = checked;
    this.#root = root;
    this.#slots = Array.from({ length: slots });
  }

  /** @throws ProgramError */
  static *plan(checked: Checked, environment: Environment): Steps<Program> {
    const planner = new Planner(checked, environment);
    const root = yield* planner.plan(checked.expression);
    return new Program(checked, root, planner.slots);
  }

  /** Evaluates at once, however long it takes. If the cost limit is exceeded, the value is an error. */
  evaluate(bindings: Bindings, costLimit = Number.POSITIVE_INFINITY): Evaluated {
    const frame = this.#frame(bindings, costLimit, Number.POSITIVE_INFINITY);
    limitWork(isSliced() ? maxWorkPerTurn : Number.POSITIVE_INFINITY);
    try {
      return { value: this.#root.evaluate(frame), cost: frame.cost };
    } catch (error) {
      return refused(error, frame);
    }
  }

  /** Tries to evaluate at once; returns undefined if that takes too long and the evaluation must run in steps. */
  attempt(bindings: Bindings, costLimit = Number.POSITIVE_INFINITY): Evaluated | undefined {
    if (this.#root.steps === undefined || !isSliced()) return this.evaluate(bindings, costLimit);
    const frame = this.#frame(bindings, costLimit, 0);
    limitWork(maxWorkOfAttempt);
    try {
      return { value: this.#root.evaluate(frame), cost: frame.cost };
    } catch (error) {
      return error instanceof EvaluationTooLong || error instanceof WorkLimitExceeded
        ? undefined
        : refused(error, frame);
    }
  }

  /** Tries to evaluate at once, then restarts in steps; so bindings must return the same values when read again. */
  *evaluateInSteps(bindings: Bindings, costLimit = Number.POSITIVE_INFINITY): Steps<Evaluated> {
    const attempted = this.attempt(bindings, costLimit);
    if (attempted !== undefined) return attempted;
    yield;
    const frame = this.#frame(bindings, costLimit, Number.POSITIVE_INFINITY);
    try {
      return { value: yield* stepsOf(this.#root, frame), cost: frame.cost };
    } catch (error) {
      return refused(error, frame);
    }
  }

  #frame(bindings: Bindings, limit: number, deadline: number): Frame {
    return { bindings, slots: this.#slots.slice(), cost: 0, limit, turns: 0, workLeft: maxWork, deadline };
  }
}

/** The result of an evaluation that exceeds a limit. */
function refused(error: unknown, { cost }: Frame): Evaluated {
  if (error instanceof CostLimitExceeded || error instanceof WorkLimitExceeded) return { value: costLimitError, cost };
  if (error instanceof ProgramError) return { value: new CelError(error.message), cost };
  throw error;
}
