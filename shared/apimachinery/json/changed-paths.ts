import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { getKey, isObject, type JsonValue } from './json.ts';

interface Pair {
  readonly path: string;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
}

/**
 * JSON pointers (RFC 6901) to where two values differ: to the whole of a value that is there on one side only, or of
 * another type. Members of lists are compared by their places.
 * @param most pointers that are told
 */
export function* changedPaths(before: JsonValue, after: JsonValue, most: number): Steps<string[]> {
  const changed: string[] = [];
  const pairs: Pair[] = [{ path: '', before, after }];
  for (let pair = pairs.pop(); pair !== undefined && changed.length < most; pair = pairs.pop()) {
    const members = membersOf(pair);
    if (members === undefined) {
      if (pair.before !== pair.after) changed.push(pair.path);
    } else pairs.push(...members.reverse());
    if (sliceIsOver()) yield;
  }
  return changed;
}

/** The members of two objects or lists, in the order of both; undefined for others. */
function membersOf({ path, before, after }: Pair): Pair[] | undefined {
  if (Array.isArray(before) && Array.isArray(after))
    return Array.from({ length: Math.max(before.length, after.length) }, (_, index) => ({
      path: `${path}/${index}`,
      before: before[index],
      after: after[index],
    }));
  if (!isObject(before) || !isObject(after)) return undefined;
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].map((key) => ({
    path: `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    before: getKey(before, key),
    after: getKey(after, key),
  }));
}
