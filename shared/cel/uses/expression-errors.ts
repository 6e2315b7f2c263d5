import { internalError, invalid, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import type { ExpressionError } from './compile-expression.ts';

/** The errors for a field whose expression does not compile. */
export function expressionErrors(field: Path, text: string, error: ExpressionError): FieldError[] {
  return [error.type === 'RuleInvalid' ? invalid(field, text, error.detail) : internalError(field, error.detail)];
}
