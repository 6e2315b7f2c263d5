import { isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { compareUtf8, goJson, goNumber, goQuote } from '#shared/apimachinery/text/go-format.ts';
import { compareValues } from './value-order.ts';

/** One key of an associative list's item, with its value. */
export type ItemKey = readonly [name: string, value: JsonValue];

/**
 * One step of a field path: a field of an object (`f:`), the item of an associative list that has these keys (`k:`),
 * the item of a set that is this value (`v:`), or a place in a list (`i:`). Two elements are the same when their texts
 * are.
 */
export class PathElement {
  readonly kind: 'field' | 'key' | 'value' | 'index';
  /** Serialized as in FieldsV1: `f:name`, `k:{"name":"a"}`, `v:"a"`, `i:0`. */
  readonly text: string;
  /** Name of the field; empty for other kinds. */
  readonly name: string;
  /** Sorted by name; empty for other kinds. */
  readonly keys: readonly ItemKey[];
  /** The value, or the index; null for other kinds. */
  readonly value: JsonValue;
  #json: string | undefined;
  /** Whether the name has no surrogates. Without them, names have the same order in UTF-16 as in UTF-8. */
  readonly #plainName: boolean;

  private constructor(
    kind: PathElement['kind'],
    text: string,
    name: string,
    keys: readonly ItemKey[],
    value: JsonValue,
  ) {
    this.kind = kind;
    this.text = text;
    this.name = name;
    this.keys = keys;
    this.value = value;
    this.#plainName = !surrogate.test(name);
  }

  /** Returns the same object for a name as long as the name is cached. */
  static field(name: string): PathElement {
    let element = fields.get(name);
    if (element === undefined) {
      element = new PathElement('field', `f:${name}`, name, noKeys, null);
      if (fields.size >= maxRemembered) fields.clear();
      if (name.length <= maxRememberedLength) fields.set(name, element);
    }
    return element;
  }

  /** `keys` must be sorted by name. */
  static key(keys: readonly ItemKey[]): PathElement {
    let text = '';
    for (const [name, value] of keys) text += `${text === '' ? '' : ','}${jsonText(name)}:${jsonText(value)}`;
    return new PathElement('key', `k:{${text}}`, '', keys, null);
  }

  static value(value: JsonValue): PathElement {
    return new PathElement('value', `v:${jsonText(value)}`, '', noKeys, value);
  }

  static index(index: number): PathElement {
    return new PathElement('index', `i:${index}`, '', noKeys, index);
  }

  /** The text as `JSON.stringify` prints it. */
  get json(): string {
    return (this.#json ??= JSON.stringify(this.text));
  }

  /** The order of two fields by name. */
  compareName(other: PathElement): number {
    if (!this.#plainName || !other.#plainName) return compareUtf8(this.name, other.name);
    return this.name < other.name ? -1 : this.name > other.name ? 1 : 0;
  }

  /** The element as it appears in paths that clients see: `.spec`, `[name="a"]`, `[="a"]`, `[0]`. */
  toString(): string {
    switch (this.kind) {
      case 'field':
        return `.${this.name}`;
      case 'key':
        return `[${this.keys.map(([name, value]) => `${name}=${valueText(value)}`).join(',')}]`;
      case 'value':
        return `[=${valueText(this.value)}]`;
      case 'index':
        return `[${valueText(this.value)}]`;
    }
  }
}

const noKeys: readonly ItemKey[] = [];
const surrogate = /[\ud800-\udfff]/;

/** Elements by name. The fields of types are few and recur; map keys are chosen by clients, hence the limits. */
const fields = new Map<string, PathElement>();
const maxRemembered = 10_000;
const maxRememberedLength = 100;

const plainText = /^[\w .,:;/+=@*()-]*$/;

function jsonText(value: JsonValue): string {
  if (typeof value === 'string' && plainText.test(value)) return `"${value}"`;
  // Exponents of this encoder (json-iterator's) have two digits.
  return typeof value === 'number' ? goJson(value).replace(/e-(\d)$/, 'e-0$1') : goJson(value);
}

const ranks = { field: 0, key: 1, value: 2, index: 3 } as const;

/** The order of elements in a set and in FieldsV1: fields, keys, values, indices; each kind by content. */
export function compareElements(a: PathElement, b: PathElement): number {
  if (a === b) return 0;
  if (a.kind !== b.kind) return ranks[a.kind] - ranks[b.kind];
  switch (a.kind) {
    case 'field':
      return a.compareName(b);
    case 'key':
      return compareKeys(a.keys, b.keys);
    default:
      return compareValues(a.value, b.value);
  }
}

function compareKeys(a: readonly ItemKey[], b: readonly ItemKey[]): number {
  for (let i = 0; ; i++) {
    const left = a[i];
    const right = b[i];
    if (left === undefined || right === undefined) return (left === undefined ? 0 : 1) - (right === undefined ? 0 : 1);
    const order = compareUtf8(left[0], right[0]) || compareValues(left[1], right[1]);
    if (order !== 0) return order;
  }
}

/** A path as conflicts and errors name it. */
export function pathText(path: readonly PathElement[]): string {
  return path.join('');
}

function valueText(value: JsonValue): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number' || typeof value === 'bigint') return goNumber(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(',')}]`;
  if (isObject(value))
    return Object.keys(value)
      .map((key) => `${key}=${valueText(value[key] ?? null)}`)
      .join('');
  return String(value);
}
