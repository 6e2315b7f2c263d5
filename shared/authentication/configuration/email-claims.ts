import { childrenOf } from '#shared/cel/check/children.ts';
import type { Expression } from '#shared/cel/syntax/expression.ts';
import type { CompiledExpression } from '#shared/cel/uses/compile-expression.ts';

/**
 * Whether an expression selects a claim by its name: `claims.email`, `claims.?email`. `claims["email"]` is not found.
 */
export function selectsClaim({ program }: CompiledExpression, claim: string): boolean {
  const pending = [program.checked.expression];
  for (let expression = pending.pop(); expression !== undefined; expression = pending.pop()) {
    if (isSelection(expression, claim)) return true;
    pending.push(...childrenOf(expression));
  }
  return false;
}

function isSelection(expression: Expression, claim: string): boolean {
  if (expression.kind === 'select') return isClaims(expression.operand) && expression.field === claim;
  if (expression.kind !== 'call' || expression.target !== undefined || expression.function !== '_?._') return false;
  const [operand, field] = expression.args;
  return operand !== undefined && isClaims(operand) && field?.kind === 'literal' && field.value === claim;
}

function isClaims(expression: Expression): boolean {
  return expression.kind === 'identifier' && expression.name === 'claims';
}
