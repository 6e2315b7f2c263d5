import type { FieldError } from './field-error-type.ts';

/**
 * How many errors one validation may find before it is stopped. An object of 3 MB can break hundreds of thousands of
 * rules, each with an error text of hundreds of characters or with a list as long as the object: no user reads them,
 * and making them costs seconds and gigabytes.
 */
export const maxFieldErrors = 10_000;
const maxCharacters = 4 * 1024 * 1024;

/** Thrown where the last allowed error is found, to end the validation. */
export class ErrorBudgetExceeded extends Error {}

/** What one validation has found, and may still find. */
export class ErrorBudget {
  readonly errors: FieldError[] = [];
  #characters = 0;

  count(error: FieldError): void {
    this.errors.push(error);
    this.#characters +=
      error.detail.length + error.field.length + (typeof error.badValue === 'string' ? error.badValue.length : 0);
    if (this.errors.length >= maxFieldErrors || this.#characters >= maxCharacters) throw new ErrorBudgetExceeded();
  }
}

let current: ErrorBudget | undefined;

/** Counts a new error against the budget of the current validation. */
export function countFieldError(error: FieldError): FieldError {
  current?.count(error);
  return error;
}

/**
 * Runs a validation and returns its errors, cut off once they exceed the budget. Errors from a promise are not counted.
 */
export function withinErrorBudget<T extends FieldError[] | Promise<FieldError[]>>(validate: () => T): T | FieldError[] {
  const budget = new ErrorBudget();
  try {
    return runWith(budget, validate);
  } catch (error) {
    if (error instanceof ErrorBudgetExceeded) return budget.errors;
    throw error;
  }
}

/** Runs a part of a validation whose errors count against `budget`. */
export function runWith<T>(budget: ErrorBudget, run: () => T): T {
  const before = current;
  current = budget;
  try {
    return run();
  } finally {
    current = before;
  }
}
