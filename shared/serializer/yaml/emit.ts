import { countShortLived } from '#shared/apimachinery/bytes/short-lived-bytes.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { getKey, isObject } from '#shared/apimachinery/json/json.ts';
import { goFloat } from '#shared/apimachinery/text/go-format.ts';
import { scalarPieces, scalarText } from './scalar-text.ts';

/** Lines are joined to pieces of about this many characters. */
const pieceLength = 32 * 1024;
/**
 * Indentation makes the text grow with the square of the depth. Go prints without a limit, as long as there is memory.
 */
const longestText = 512 * 1024 * 1024;

/**
 * YAML of a JSON value as sigs.k8s.io/yaml prints it: go-yaml v2's choice of quotes and order of keys, lists not
 * indented, texts folded at the first blank beyond column 80. Ends with a line break. The pieces are made as they are
 * read; an empty piece marks a place where other requests may run.
 * @throws Error where the text would be longer than 512 MiB
 */
export function* yamlPieces(value: JsonValue): Generator<Uint8Array, void> {
  const emitter = new Emitter();
  if (isFilledList(value)) yield* emitter.list(value, 0, '');
  else if (isFilledMap(value)) yield* emitter.map(value, 0, '');
  else yield* emitter.text('', value, 2, 0);
  yield emitter.take();
}

/** YAML of one item of a list at the top of a document, or below one of its keys. */
export function* yamlItemPieces(item: JsonValue): Generator<Uint8Array, void> {
  yield* yamlPieces([item]);
}

/** The keys in the order of printing. */
export function yamlKeys(object: JsonObject): string[] {
  return Object.keys(object).sort(compareKeys);
}

function isFilledList(value: JsonValue): value is JsonValue[] {
  return Array.isArray(value) && value.length > 0;
}

function isFilledMap(value: JsonValue): value is JsonObject {
  return isObject(value) && Object.keys(value).length > 0;
}

const pause = new Uint8Array(0);
/** Sorting this many keys is worth a pause before it. */
const manyKeys = 1000;

class Emitter {
  #lines = '';
  #total = 0;

  /**
   * Prints a map. `lead` is the text before the first key: the indentation, or the dashes of the lists that begin
   * there.
   */
  *map(object: JsonObject, indent: number, lead: string): Generator<Uint8Array, void> {
    let start = lead;
    const keys = yamlKeys(object);
    if (keys.length > manyKeys) yield pause;
    for (const key of keys) {
      const value = getKey(object, key) as JsonValue;
      const name = keyText(key);
      if (name === undefined) {
        yield* this.#besideItsKey(key, value, indent, start);
        start = ' '.repeat(indent);
        continue;
      }
      const head = `${name}:`;
      if (isFilledList(value)) {
        if (this.#line(start + head)) yield this.take();
        yield* this.list(value, indent, ' '.repeat(indent));
      } else if (isFilledMap(value)) {
        if (this.#line(start + head)) yield this.take();
        yield* this.map(value, indent + 2, ' '.repeat(indent + 2));
      } else if (typeof value === 'string' && value.length > longLine)
        yield* this.text(`${start}${head} `, value, indent + 2, indent + head.length + 1);
      else if (this.#line(`${start}${head} ${inline(value, indent + 2, indent + head.length + 1)}`)) yield this.take();
      start = ' '.repeat(indent);
    }
  }

  /**
   * Prints a key that is too long for a simple key on lines of its own (`? key`), followed by its value (`: value`).
   */
  *#besideItsKey(key: string, value: JsonValue, indent: number, start: string): Generator<Uint8Array, void> {
    yield* this.text(`${start}? `, key, indent + 2, indent + 2);
    const lead = `${' '.repeat(indent)}: `;
    if (isFilledList(value)) yield* this.list(value, indent + 2, lead);
    else if (isFilledMap(value)) yield* this.map(value, indent + 2, lead);
    else yield* this.text(lead, value, indent + 2, indent + 2);
  }

  *list(list: readonly JsonValue[], indent: number, lead: string): Generator<Uint8Array, void> {
    const inner = indent + 2;
    let start = `${lead}- `;
    for (const value of list) {
      if (isFilledList(value)) yield* this.list(value, inner, start);
      else if (isFilledMap(value)) yield* this.map(value, inner, start);
      else yield* this.text(start, value, inner, inner);
      start = `${' '.repeat(indent)}- `;
    }
  }

  /** Prints a value on its line; long texts in steps. */
  *text(start: string, value: JsonValue, indent: number, column: number): Generator<Uint8Array, void> {
    if (typeof value !== 'string' || value.length <= longLine) {
      if (this.#line(start + inline(value, indent, column))) yield this.take();
      return;
    }
    this.#lines += start;
    for (const part of scalarPieces(value, ' '.repeat(indent), column)) {
      this.#lines += part;
      if (this.#lines.length > pieceLength) yield this.take();
      else yield pause;
    }
    this.#lines += '\n';
  }

  /** Adds a line; returns whether there is a piece to take. */
  #line(text: string): boolean {
    this.#lines += text;
    this.#lines += '\n';
    return this.#lines.length > pieceLength;
  }

  take(): Buffer {
    this.#total += this.#lines.length;
    if (this.#total > longestText) throw new Error(`the object is longer than ${longestText} characters as YAML`);
    const piece = Buffer.from(this.#lines, 'utf8');
    countShortLived(piece.length);
    this.#lines = '';
    return piece;
  }
}

/** Longer texts are printed in steps. */
const longLine = 16 * 1024;

/**
 * The text of a value that begins on its key's line at `column`; `indent` is the indentation of its following lines.
 */
function inline(value: JsonValue, indent: number, column: number): string {
  if (typeof value === 'string') return scalarText(value, ' '.repeat(indent), column);
  if (Array.isArray(value)) return '[]';
  if (isObject(value)) return '{}';
  return typeof value === 'number' ? numberText(value) : String(value);
}

/** A number as go-yaml prints what it reads of its JSON: an integer of 64 bits by its digits, all others as a float. */
function numberText(value: number): string {
  return Number.isInteger(value) && value > -(2 ** 63) && value < 2 ** 64 ? String(value) : goFloat(value);
}

/** Cached texts of keys: most keys are field names. */
const keyTexts = new Map<string, string>();
const maxKeyTexts = 4096;
const longestKept = 64;

/** go-yaml's limit for a simple key, in bytes (yaml_emitter_check_simple_key). */
const longestSimpleKey = 128;
const lineBreak = /[\r\n\u0085\u2028\u2029]/;

/** The text of a simple key; undefined for a key that has to be printed on lines of its own. */
function keyText(key: string): string | undefined {
  const known = keyTexts.get(key);
  if (known !== undefined) return known;
  if (lineBreak.test(key) || Buffer.byteLength(key) > longestSimpleKey) return undefined;
  const text = scalarText(key, '', undefined);
  if (key.length > longestKept) return text;
  if (keyTexts.size >= maxKeyTexts) keyTexts.clear();
  keyTexts.set(key, text);
  return text;
}

const onlyLetters = /^[A-Za-z]*$/;
const letter = /^\p{L}$/u;
const digit = /^\p{Nd}$/u;

/** go-yaml's order: letters after everything else, runs of digits by their value (`a2` before `a10`). */
function compareKeys(a: string, b: string): number {
  if (onlyLetters.test(a) && onlyLetters.test(b)) return a < b ? -1 : a > b ? 1 : 0;
  const [left, right] = [[...a], [...b]];
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const [x, y] = [left[at] as string, right[at] as string];
    if (x === y) continue;
    const [xIsLetter, yIsLetter] = [letter.test(x), letter.test(y)];
    if (xIsLetter !== yIsLetter) return yIsLetter ? -1 : 1;
    return (xIsLetter ? 0 : compareNumbers(left, right, at)) || (x.codePointAt(0) ?? 0) - (y.codePointAt(0) ?? 0);
  }
  return left.length - right.length;
}

function compareNumbers(left: readonly string[], right: readonly string[], at: number): number {
  // A leading zero is ignored unless digits precede it.
  let before = at - 1;
  while (before >= 0 && left[before] === '0') before -= 1;
  const lead = (left[at] === '0' || right[at] === '0') && before >= 0 && digit.test(left[before] as string) ? '1' : '';
  const run = (chars: readonly string[]): string => {
    let end = at;
    while (end < chars.length && digit.test(chars[end] as string)) end += 1;
    return chars.slice(at, end).join('');
  };
  const [x, y] = [run(left), run(right)];
  const difference = BigInt(lead + x || '0') - BigInt(lead + y || '0');
  return difference === 0n ? x.length - y.length : difference < 0n ? -1 : 1;
}
