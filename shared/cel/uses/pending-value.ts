import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { Bindings } from '#shared/cel/eval/frame.ts';
import type { Evaluated, Program } from '#shared/cel/eval/program.ts';

/**
 * Thrown by the value of a variable that needs work before it can be read, such as a long evaluation or a question to
 * another process. The evaluation starts again after that work, and then finds the value.
 */
export class PendingValue extends Error {
  readonly work: Steps<void>;

  constructor(work: Steps<void>) {
    super('the value of a variable is not known yet');
    this.name = 'PendingValue';
    this.work = work;
  }
}

/** Evaluates a program whose variables may throw {@link PendingValue}; only the last attempt counts in the cost. */
export function* evaluateWithPending(program: Program, bindings: Bindings, costLimit: number): Steps<Evaluated> {
  for (;;) {
    try {
      return program.attempt(bindings, costLimit) ?? (yield* program.evaluateInSteps(bindings, costLimit));
    } catch (error) {
      if (!(error instanceof PendingValue)) throw error;
      yield* error.work;
    }
  }
}
