import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';
import { isInt64 } from '#shared/apimachinery/values/int64.ts';
import { PlainNumber } from './path-syntax.ts';

/** What a path finds. */
export type PathValue = JsonValue | PlainNumber;

type Kind = 'boolean' | 'float' | 'integer' | 'string';

function kindOf(value: PathValue): Kind | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return typeof value as 'boolean' | 'string';
    case 'number':
    case 'bigint':
      return isInt64(value) ? 'integer' : 'float';
    default:
      if (!(value instanceof PlainNumber)) return undefined;
      return value.isFloat ? 'float' : 'integer';
  }
}

/** Negative, 0 or positive. Both are of one kind. */
function order(a: PathValue, b: PathValue): number {
  if (typeof a === 'string' && typeof b === 'string') return compareUtf8(a, b);
  const [left, right] = [numberOf(a), numberOf(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function numberOf(value: PathValue): number | bigint {
  return value instanceof PlainNumber ? value.value : typeof value === 'bigint' ? value : Number(value);
}

/**
 * Whether a comparison holds; undefined where Go's text/template, which decides it in the reference, refuses it: only
 * values of one kind are compared, an integer with no float, and booleans have no order.
 */
export function compare(left: PathValue, operator: string, right: PathValue): boolean | undefined {
  const kind = kindOf(left);
  if (kind === undefined || kind !== kindOf(right)) return undefined;
  const ordered = order(left, right);
  switch (operator) {
    case '==':
      return ordered === 0;
    case '!=':
      return ordered !== 0;
    case '<':
      return kind === 'boolean' ? undefined : ordered < 0;
    case '>':
      return kind === 'boolean' ? undefined : ordered > 0;
    case '<=':
      return kind === 'boolean' ? undefined : ordered <= 0;
    case '>=':
      return kind === 'boolean' ? undefined : ordered >= 0;
    default:
      return undefined;
  }
}
