import type { Steps } from '../../apimachinery/slices.ts';
import type { Call } from '../syntax/expression.ts';
import type { Checked } from './checked.ts';

/** Judges the calls of a checked expression; the place of what is wrong is that of the expression with the id. */
export type Validator = (
  checked: Checked,
  calls: readonly Call[],
  report: (expressionId: number, message: string) => void,
) => Steps<void>;
