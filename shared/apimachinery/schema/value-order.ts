import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';

/** The total order of values of any type: numbers, texts, booleans, lists, objects, null. */
export function compareValues(a: JsonValue, b: JsonValue): number {
  const rank = rankOf(a) - rankOf(b);
  if (rank !== 0) return rank;
  if (typeof a === 'string' && typeof b === 'string') return compareUtf8(a, b);
  if (isNumber(a) && isNumber(b)) return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b);
  if (isObject(a) && isObject(b)) return compareObjects(a, b);
  return 0;
}

function rankOf(value: JsonValue): number {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return 0;
    case 'string':
      return 1;
    case 'boolean':
      return 2;
    default:
      return value === null ? 5 : Array.isArray(value) ? 3 : 4;
  }
}

function isNumber(value: JsonValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function compareLists(a: readonly JsonValue[], b: readonly JsonValue[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const order = compareValues(a[i] ?? null, b[i] ?? null);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareObjects(a: JsonObject, b: JsonObject): number {
  const left = Object.keys(a).toSorted(compareUtf8);
  const right = Object.keys(b).toSorted(compareUtf8);
  for (let i = 0; i < left.length && i < right.length; i++) {
    const [x = '', y = ''] = [left[i], right[i]];
    const order = compareUtf8(x, y) || compareValues(getKey(a, x) ?? null, getKey(b, y) ?? null);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Equality of values; numbers by amount, the order of keys does not count. */
export function equalValues(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object')
    return isNumber(a) && isNumber(b) && Number(a) === Number(b) && (typeof a === 'number' || typeof b === 'number');
  if (a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!equalValues(a[i] as JsonValue, b[i] as JsonValue)) return false;
    return true;
  }
  if (Array.isArray(b)) return false;
  let count = 0;
  for (const key of Object.keys(a)) {
    if (!Object.hasOwn(b, key) || !equalValues(a[key] as JsonValue, b[key] as JsonValue)) return false;
    count++;
  }
  return count === Object.keys(b).length;
}
