import { getKey, setKey, type JsonObject, type JsonValue } from './json.ts';
import { sliceIsOver, type Steps } from './slices.ts';

/**
 * Numbers of custom resources that are whole and yet were written as Go's floats (`1.0`, `1e3`), by what holds them,
 * with all that leads to them. Go keeps them as float64 until they are stored; here they are numbers like any, and this
 * is remembered beside them, for it shows in a write: rules take no float for an integer.
 */
const held = new WeakMap<object, Set<string>>();

/**
 * How many floats are remembered in one value; any beyond that count as integers. Each takes about 200 bytes, and a
 * body may consist of nothing else.
 */
const mostRemembered = 10_000;

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
  let left = mostRemembered;
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

/** Whether the value is an object or list that holds such a number, however deep. */
export function holdsFloats(value: unknown): boolean {
  return typeof value === 'object' && value !== null && held.has(value);
}

/** Whether what an object or list has under a key (for lists, the index as a text) is such a number. */
export function isFloatIn(holder: unknown, key: string): boolean {
  return typeof holder === 'object' && holder !== null && held.get(holder)?.has(key) === true;
}
