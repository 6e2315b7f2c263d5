import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { PresentKeys } from '#shared/apimachinery/json/present-keys.ts';
import { PathElement, pathText, type ItemKey } from '#shared/apimachinery/schema/path-element.ts';
import type { ListView, TypedScalarKind, TypeView } from '#shared/apimachinery/schema/type-view.ts';
import { goPrint, goQuote, goTypeName } from '#shared/apimachinery/text/go-format.ts';
import { TypedValueError, type TypedError } from './typed-value.ts';

/** The path that a walk has reached, and the errors that it found. */
export class TypedWalk {
  readonly errors: TypedError[] = [];
  readonly #path: PathElement[] = [];

  /** How many elements the path has. */
  get depth(): number {
    return this.#path.length;
  }

  enter(element: PathElement): void {
    this.#path.push(element);
  }

  leave(): void {
    this.#path.pop();
  }

  error(message: string): void {
    this.errors.push({ path: pathText(this.#path), message });
  }

  /** @throws TypedValueError if the walk found errors */
  finish(): void {
    if (this.errors.length > 0) throw new TypedValueError(this.errors);
  }
}

/** The form that a value may take; a type may allow several. */
export type Form = 'map' | 'scalar' | 'list';

/**
 * The form (scalar, list or map) in which a value is treated: its own form, if the type allows that. Null, and values
 * that fit no form, are treated as the first form of the type, which refuses them or accepts them as empty. Undefined
 * for a type without any form.
 */
export function formOf({ scalar, list, map }: TypeView, value: JsonValue): Form | undefined {
  if (typeof value !== 'object') {
    if (scalar !== undefined) return 'scalar';
  } else if (value !== null) {
    if (Array.isArray(value)) {
      if (list !== undefined) return 'list';
    } else if (map !== undefined) return 'map';
  }
  return map !== undefined ? 'map' : scalar !== undefined ? 'scalar' : list !== undefined ? 'list' : undefined;
}

/** Two values may be compared in one walk if they narrow the type to the same forms. */
export function narrowsAlike(type: TypeView, a: JsonValue, b: JsonValue): boolean {
  return narrowed(type, a) === narrowed(type, b);
}

function narrowed({ scalar, list, map }: TypeView, value: JsonValue): Form | 'all' {
  if ((scalar === undefined ? 0 : 1) + (list === undefined ? 0 : 1) + (map === undefined ? 0 : 1) < 2) return 'all';
  if (value === null) return 'all';
  if (typeof value !== 'object') return scalar === undefined ? 'all' : 'scalar';
  if (Array.isArray(value)) return list === undefined ? 'all' : 'list';
  return map === undefined ? 'all' : 'map';
}

/** Error text for a type that allows no form at all. */
export function undeclaredTypeText({ name }: TypeView): string {
  return `schema error: invalid atom: ${name === '' ? 'inlined' : `named type: ${name}`}`;
}

/** Error text for a scalar of the wrong type; undefined if it is valid. Null is valid. */
export function scalarError(kind: TypedScalarKind, value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  switch (kind) {
    case 'numeric':
      return typeof value === 'number' || typeof value === 'bigint'
        ? undefined
        : `expected numeric (int or float), got ${goTypeName(value)}`;
    case 'string':
      return typeof value === 'string'
        ? undefined
        : `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got &{${goPrint(value)}}`;
    case 'untyped':
      return typeof value === 'object' ? `expected any scalar, got &{${goPrint(value)}}` : undefined;
  }
}

/** Go's `%#v` of a decoded JSON value. */
function goSyntax(value: JsonValue): string {
  if (typeof value === 'string') return goQuote(value);
  if (value === null) return 'interface {}(nil)';
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (isObject(value))
    return `map[string]interface {}{${Object.keys(value)
      .toSorted()
      .map((key) => `${goQuote(key)}:${goSyntax(value[key] ?? null)}`)
      .join(', ')}}`;
  return goPrint(value);
}

/** Error text for a value that is not a list (or not an object). */
export function unexpectedKindText(what: 'list' | 'map', value: JsonValue): string {
  return `expected ${what}, got &{${goPrint(value)}}`;
}

/** The element of a list item, or why it has none. */
export function itemElement(list: ListView, item: JsonValue): PathElement | string {
  if (list.atomic) return 'invalid indexing of non-associative list';
  if (list.keys.length === 0) return setItemElement(item);
  if (item === null) return 'associative list with keys may not have a null element';
  if (!isObject(item)) return 'associative list with keys may not have non-map elements';
  const map = list.items.map;
  const { present, defaults } = keysOf(list);
  const keys = present.in(item).map((name): [string, JsonValue] => [name, getKey(item, name) as JsonValue]);
  if (map === undefined && keys.length < list.keys.length) {
    const missing = list.keys.find((name) => !Object.hasOwn(item, name)) ?? '';
    return `couldn't find default value for ${missing}: associative list may not have non-map types`;
  }
  for (const key of defaults) if (!Object.hasOwn(item, key[0])) keys.push(key);
  if (keys.length === 0) {
    return `associative list with keys has an element that omits all key fields [${list.keys.map(goQuote).join(' ')}] (and doesn't have default values for any key fields)`;
  }
  if (keys.length > 1) keys.sort(byName);
  return PathElement.key(keys);
}

/** Whether {@link itemElement} finds an element, told without making it. */
export function hasElement(list: ListView, item: JsonValue): boolean {
  if (list.atomic || item === null) return false;
  if (list.keys.length === 0) return typeof item !== 'object';
  if (!isObject(item) || list.items.map === undefined) return false;
  return keysOf(list).defaults.length > 0 || list.keys.some((name) => Object.hasOwn(item, name));
}

interface ListKeys {
  readonly present: PresentKeys;
  /** The keys that have a default value. */
  readonly defaults: readonly [string, JsonValue][];
}

const keysOfLists = new WeakMap<ListView, ListKeys>();

function keysOf(list: ListView): ListKeys {
  let known = keysOfLists.get(list);
  if (known === undefined) {
    const defaults = list.keys.flatMap((name): [string, JsonValue][] => {
      const value = list.items.map?.field(name)?.default;
      return value === undefined ? [] : [[name, value]];
    });
    keysOfLists.set(list, (known = { present: new PresentKeys(list.keys), defaults }));
  }
  return known;
}

function byName([a]: ItemKey, [b]: ItemKey): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function setItemElement(item: JsonValue): PathElement | string {
  if (item === null) return "associative list without keys has an element that's an explicit null";
  if (Array.isArray(item)) return 'not supported: associative list with lists as elements';
  if (typeof item === 'object') return "associative list without keys has an element that's a map type";
  return PathElement.value(item);
}

/** Reads an own key. Checks only functions and `__proto__`, as JSON objects inherit nothing else. */
export function ownValue(object: JsonObject | undefined, key: string): JsonValue | undefined {
  if (object === undefined) return undefined;
  const value = getKey(object, key);
  return typeof value === 'function' || key === '__proto__' ? getKey(object, key) : value;
}
