import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import { isObject } from '../../apimachinery/json.ts';
import { scalarText } from './scalar-text.ts';

/** Lines are kept as text up to so many characters. */
const chunkLength = 1024 * 1024;
/** Indentation makes the square of its depth of a value. Go prints as long as there is memory. */
const longestText = 512 * 1024 * 1024;

/**
 * YAML of a JSON value as sigs.k8s.io/yaml prints it: go-yaml v2's choice of quotes and order of keys, lists not
 * indented, texts folded at the first blank beyond column 80. Ends with a line break.
 * @throws Error where it would be longer than 512 MiB
 */
export function encodeYaml(value: JsonValue): Buffer {
  const emitter = new Emitter();
  if (isFilledList(value)) emitter.list(value, 0, '');
  else if (isFilledMap(value)) emitter.map(value, 0, '');
  else emitter.line(inline(value, 0, 0));
  return emitter.finish();
}

function isFilledList(value: JsonValue): value is JsonValue[] {
  return Array.isArray(value) && value.length > 0;
}

function isFilledMap(value: JsonValue): value is JsonObject {
  return isObject(value) && Object.keys(value).length > 0;
}

class Emitter {
  readonly #chunks: Buffer[] = [];
  #lines: string[] = [];
  #length = 0;
  #total = 0;

  /** `lead` is what stands before the first key: the indentation, or the dashes of the lists that begin there. */
  map(object: JsonObject, indent: number, lead: string): void {
    let start = lead;
    for (const key of Object.keys(object).sort(compareKeys)) {
      const value = object[key] as JsonValue;
      const head = `${keyText(key)}:`;
      if (isFilledList(value)) {
        this.line(start + head);
        this.list(value, indent, ' '.repeat(indent));
      } else if (isFilledMap(value)) {
        this.line(start + head);
        this.map(value, indent + 2, ' '.repeat(indent + 2));
      } else this.line(`${start}${head} ${inline(value, indent + 2, indent + head.length + 1)}`);
      start = ' '.repeat(indent);
    }
  }

  list(list: readonly JsonValue[], indent: number, lead: string): void {
    const inner = indent + 2;
    let start = `${lead}- `;
    for (const value of list) {
      if (isFilledList(value)) this.list(value, inner, start);
      else if (isFilledMap(value)) this.map(value, inner, start);
      else this.line(start + inline(value, inner, inner));
      start = `${' '.repeat(indent)}- `;
    }
  }

  line(text: string): void {
    this.#lines.push(text);
    this.#length += text.length + 1;
    if (this.#length > chunkLength) this.#flush();
  }

  finish(): Buffer {
    this.#flush();
    return this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
  }

  #flush(): void {
    this.#total += this.#length;
    if (this.#total > longestText) throw new Error(`the object is longer than ${longestText} characters as YAML`);
    if (this.#lines.length > 0) this.#chunks.push(Buffer.from(`${this.#lines.join('\n')}\n`, 'utf8'));
    this.#lines = [];
    this.#length = 0;
  }
}

/** A value that begins on its key's line at `column`; `indent` is that of a text's further lines. */
function inline(value: JsonValue, indent: number, column: number): string {
  if (typeof value === 'string') return scalarText(value, ' '.repeat(indent), column);
  if (Array.isArray(value)) return '[]';
  if (isObject(value)) return '{}';
  return typeof value === 'number' ? numberText(value) : String(value);
}

/** Go's %g of a float: with an exponent from 21 digits on, and already from 7 where there is a fraction. */
function numberText(value: number): string {
  if (Number.isInteger(value)) return Math.abs(value) < 1e21 ? String(value) : value.toExponential();
  const exponent = Math.floor(Math.log10(Math.abs(value)));
  if (exponent >= -4 && exponent < 21) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}

function keyText(key: string): string {
  return scalarText(key, '', undefined);
}

const letter = /^\p{L}$/u;
const digit = /^\p{Nd}$/u;

/** go-yaml's order: letters after everything else, runs of digits by their value (`a2` before `a10`). */
function compareKeys(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const [x, y] = [left[at] as string, right[at] as string];
    if (x === y) continue;
    const [xIsLetter, yIsLetter] = [letter.test(x), letter.test(y)];
    if (xIsLetter !== yIsLetter) return yIsLetter ? -1 : 1;
    return (xIsLetter ? 0 : compareNumbers(left, right, at)) || ((x.codePointAt(0) ?? 0) - (y.codePointAt(0) ?? 0));
  }
  return left.length - right.length;
}

function compareNumbers(left: readonly string[], right: readonly string[], at: number): number {
  // A zero counts for nothing unless digits stand before it.
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
