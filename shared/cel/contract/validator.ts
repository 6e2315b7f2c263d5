import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { Call } from '#shared/cel/syntax/expression.ts';
import type { Checked } from './checked.ts';

/** Validates the calls of a checked expression; `report` takes the id of the expression at which an error is shown. */
export type Validator = (
  checked: Checked,
  calls: readonly Call[],
  report: (expressionId: number, message: string) => void,
) => Steps<void>;
