import type { Expression } from '#shared/cel/syntax/expression.ts';

/** The direct subexpressions of an expression. */
export function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'literal':
    case 'identifier':
      return [];
    case 'select':
      return [expression.operand];
    case 'call':
      return expression.target === undefined ? expression.args : [expression.target, ...expression.args];
    case 'list':
      return expression.elements;
    case 'map':
      return expression.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return expression.fields.map(({ value }) => value);
    case 'comprehension':
      return [expression.range, expression.init, expression.condition, expression.step, expression.result];
  }
}
