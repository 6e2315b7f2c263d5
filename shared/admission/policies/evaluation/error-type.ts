/** As what the result of an expression is counted. */
export type PolicyErrorType = 'no_error' | 'compile_error' | 'out_of_budget' | 'invalid_error';

/**
 * The reference tells errors by how their messages begin (policy/validating/errors.go), so that a denial, whose message
 * is its author's, counts as `invalid_error`.
 */
export function errorTypeOf(message: string): PolicyErrorType {
  if (message.startsWith('compilation')) return 'compile_error';
  if (message.startsWith('validation failed due to running out of cost budget')) return 'out_of_budget';
  return 'invalid_error';
}
