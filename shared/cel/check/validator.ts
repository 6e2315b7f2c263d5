import type { Checked } from './checker.ts';

/** Judges a checked expression; the place of what is wrong is that of the expression with the id. */
export type Validator = (checked: Checked, report: (expressionId: number, message: string) => void) => void;
