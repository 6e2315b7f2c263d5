import { isSliced, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { ErrorBudget, ErrorBudgetExceeded, runWith } from './error-budget.ts';
import type { FieldError } from './field-error.ts';

/** As `withinErrorBudget`, for a validation in steps. */
export function* withinErrorBudgetInSteps(steps: Steps<FieldError[]>): Steps<FieldError[]> {
  const budget = new ErrorBudget();
  try {
    for (;;) {
      const step = runWith(budget, () => steps.next());
      if (step.done === true) return step.value;
      if (isSliced()) yield step.value;
    }
  } catch (error) {
    if (error instanceof ErrorBudgetExceeded) return budget.errors;
    throw error;
  }
}
