import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { getKey, setKey, type JsonObject, type JsonValue } from './json.ts';

/**
 * Whole numbers of custom resources that were written as floats (`1.0`, `1e3`): their keys by the object or list that
 * contains them, and an entry for each object or list around that one. Go keeps these numbers as float64 until they are
 * stored; here they are plain numbers. Writes need to know them, since rules accept no float as an integer.
 */
const held = new WeakMap<object, Set<string>>();

/**
 * How many floats are noted for one value; any beyond that count as integers. Each takes about 200 bytes, and a
 * body may consist of nothing else.
 */
const maxRemembered = 10_000;

interface Container {
  readonly value: JsonObject;
  readonly above: Container | undefined;
}

/** Replaces each scalar inside the value, in place, by what `read` returns for it, and remembers which are floats. */
export function* readFloats(
  value: JsonValue,
  read: (scalar: JsonValue) => { readonly number: number; readonly isFloat: boolean } | undefined,
): Steps<JsonValue> {
  if (typeof value !== 'object' || value === null) return read(value)?.number ?? value;
  let left = maxRemembered;
  const open: Container[] = [{ value: value as JsonObject, above: undefined }];
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    const object = container.value;
    const keys = Array.isArray(object) ? undefined : Object.keys(object);
    const count = keys?.length ?? (object as unknown as JsonValue[]).length;
    for (let at = 0; at < count; at++) {
      const key = keys?.[at] ?? String(at);
      const member = getKey(object, key) as JsonValue;
      if (typeof member === 'object' && member !== null) open.push({ value: member as JsonObject, above: container });
      else {
        const found = read(member);
        if (found === undefined) continue;
        setKey(object, key, found.number);
        if (found.isFloat && left-- > 0) note(container, key);
      }
      if (sliceIsOver()) yield;
    }
  }
  return value;
}

function note(container: Container, key: string): void {
  keysOf(container.value).add(key);
  for (let above = container.above; above !== undefined && !held.has(above.value); above = above.above)
    keysOf(above.value);
}

function keysOf(holder: object): Set<string> {
  let keys = held.get(holder);
  if (keys === undefined) held.set(holder, (keys = new Set()));
  return keys;
}

/** Whether the value is an object or list that contains such a number at any depth. */
export function holdsFloats(value: unknown): boolean {
  return typeof value === 'object' && value !== null && held.has(value);
}

/** Whether the member of an object or list under a key (for lists, the index as a text) is such a number. */
export function isFloatIn(holder: unknown, key: string): boolean {
  return typeof holder === 'object' && holder !== null && held.get(holder)?.has(key) === true;
}
