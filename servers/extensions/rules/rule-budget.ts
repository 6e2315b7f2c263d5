import type { FieldError } from '#shared/apimachinery/errors/field-error.ts';

/** The cost limits of one evaluation and of all evaluations for one object (k8s.io/apiserver/pkg/apis/cel). */
export const maxCallCost = 1_000_000;
export const maxObjectCost = 10_000_000;

/** One run of an object's rules: the cost budget that is left, and the errors found so far. */
export class RuleRun {
  readonly errors: FieldError[] = [];
  readonly warn: (error: FieldError) => void;
  #left: number;

  /** `warn` is called with each error that is ignored because the value did not change (ratcheting). */
  constructor(budget: number, warn: (error: FieldError) => void) {
    this.#left = budget;
    this.warn = warn;
  }

  /** The budget that is left; negative once it is exhausted, and then no further rule runs. */
  get left(): number {
    return this.#left;
  }

  get isOver(): boolean {
    return this.#left < 0;
  }

  spend(cost: number): void {
    this.#left -= cost;
  }

  /** Ends the run with an error. */
  endWith(error: FieldError): void {
    this.errors.push(error);
    this.#left = -1;
  }

  end(): void {
    this.#left = -1;
  }
}
