import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { partIsOver } from '#shared/cel/values/part-is-over.ts';
import type { Expression } from './expression.ts';

/**
 * A chain of `&&` or `||` as a balanced tree, so that long chains do not nest deeply. `ids` are the ids of the
 * operators.
 */
export function* balance(
  name: string,
  terms: readonly Expression[],
  ids: readonly number[],
  low = 0,
  high = ids.length - 1,
): Steps<Expression> {
  if (partIsOver()) yield;
  if (ids.length === 0) return terms[0] as Expression;
  const middle = (low + high + 1) >> 1;
  const left = middle === low ? terms[middle] : yield* balance(name, terms, ids, low, middle - 1);
  const right = middle === high ? terms[middle + 1] : yield* balance(name, terms, ids, middle + 1, high);
  return {
    kind: 'call',
    id: ids[middle] as number,
    function: name,
    target: undefined,
    args: [left as Expression, right as Expression],
  };
}
