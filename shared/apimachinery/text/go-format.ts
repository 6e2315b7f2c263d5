import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { byteOfStandIn } from './byte-text.ts';

/** What Go's unicode.IsPrint accepts: letters, marks, numbers, punctuation, symbols and the ASCII space. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
const PLAIN = /^[ !#-[\]-~]*$/;
const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['"', '\\"'],
  ['\\', '\\\\'],
]);

/** Texts that JSON quotes as Go does: printable characters, and characters with the same escape in both. */
const AS_JSON = /^[\p{L}\p{M}\p{N}\p{P}\p{S} \b\f\n\r\t]*$/u;
const ESCAPED = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** Go's `%q` and strconv.Quote of a string: bytes that are not UTF-8 are shown as `\xNN`. Texts may have megabytes. */
export function goQuote(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (AS_JSON.test(text)) return JSON.stringify(text);
  return `"${text.replace(ESCAPED, (char) => SHORT_ESCAPES.get(char) ?? escapeRune(char.codePointAt(0) ?? 0))}"`;
}

function escapeRune(rune: number): string {
  if (rune >= 0xd800 && rune <= 0xdfff) {
    const byte = byteOfStandIn(rune);
    return byte < 0 ? '\ufffd' : `\\x${byte.toString(16)}`;
  }
  const hex = rune.toString(16);
  if (rune < 0x20 || rune === 0x7f) return `\\x${hex.padStart(2, '0')}`;
  return rune < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/** True if Go's unicode.IsPrint accepts the character (one code point). */
export function isPrintable(char: string): boolean {
  return PRINTABLE.test(char);
}

const maxInt64 = 2 ** 63;

/** Go's `%v` of a JSON number: an int64 in decimal digits, other numbers as {@link goFloat}. */
export function goNumber(value: number | bigint): string {
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value ? value.toString() : goFloat(Number(value));
  return Number.isInteger(value) && Math.abs(value) < maxInt64 && !Object.is(value, -0)
    ? value.toFixed(0)
    : goFloat(value);
}

/** Go's `%v` of a float64: the shortest form, with an exponent from 1e+06 and below 1e-04. */
export function goFloat(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const magnitude = Math.abs(value);
  return magnitude < 1e-4 || magnitude >= 1e6 ? goExponent(value) : String(value);
}

/** Shortest exponent form as Go writes it: two exponent digits at least. */
function goExponent(value: number): string {
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}

/** A float as Go's encoding/json writes it: exponents below 1e-6 and from 1e21, with no padding zero in `e-7`. */
export function goJsonNumber(value: number | bigint): string {
  if (typeof value === 'bigint') return value.toString();
  return Object.is(value, -0) ? '-0' : String(value);
}

const JSON_HTML = /[<>&\u2028\u2029]/g;

/** JSON as Go's json.Marshal prints a value whose keys are already in the wanted order (HTML characters escaped). */
export function goJson(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return goJsonString(value);
  if (typeof value === 'number' || typeof value === 'bigint') return goJsonNumber(value);
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => goJson(item)).join(',')}]`;
  const parts = Object.keys(value).map((key) => `${goJsonString(key)}:${goJson(value[key])}`);
  return `{${parts.join(',')}}`;
}

/** Characters that a JSON string holds in escaped form. */
// oxlint-disable-next-line no-control-regex -- the pattern looks for control characters
const writtenOtherwise = /["\\<>&\u0000-\u001f\u007f\u2028\u2029\ud800-\udfff]/;

/** A JSON string as Go's json.Marshal writes it. */
export function goJsonString(text: string): string {
  if (!writtenOtherwise.test(text)) return `"${text}"`;
  const json = text.isWellFormed() ? JSON.stringify(text) : quoteFaulty(text);
  return json.replace(JSON_HTML, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The JSON string of a text with faulty bytes, for each of which Go writes an escaped U+FFFD. */
export function quoteFaulty(text: string): string {
  const parts = text.split(/[\udc80-\udcff]/u).map((part) => JSON.stringify(part.toWellFormed()).slice(1, -1));
  return `"${parts.join('\\ufffd')}"`;
}

/** How many bytes a text takes within a JSON string, escapes included. */
export function writtenBytes(text: string): number {
  return Buffer.byteLength(goJsonString(text)) - 2;
}

/** Orders strings by their UTF-8 bytes, which is Go's order of strings. */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    // UTF-16 puts surrogates (astral planes) below U+E000; UTF-8 puts them above.
    if (x >= 0xd800 && y >= 0xd800) return fixSurrogate(x) - fixSurrogate(y);
    return x - y;
  }
  return a.length - b.length;
}

function fixSurrogate(unit: number): number {
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

/** Length in UTF-8 bytes: what Go's len() of a string counts. */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    // The first half of a surrogate pair counts for both; a low surrogate that stands alone is one byte.
    else if (unit < 0xdc00 || unit > 0xdfff) bytes += 2;
  }
  return bytes;
}

/** Go's `%v` of a decoded JSON value: `map[a:1 b:[x y]]`, keys sorted. */
export function goPrint(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'string' || typeof value === 'boolean') return String(value);
  if (typeof value === 'number' || typeof value === 'bigint') return goNumber(value);
  if (Array.isArray(value)) return `[${value.map((item) => goPrint(item)).join(' ')}]`;
  return `map[${Object.keys(value)
    .sort(compareUtf8)
    .map((key) => `${key}:${goPrint(value[key])}`)
    .join(' ')}]`;
}

/** Go's name of the type in which a decoded JSON value is held; empty for null. */
export function goTypeName(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return '[]interface {}';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return BigInt.asIntN(64, value) === value ? 'int64' : 'float64';
    case 'number':
      return Number.isInteger(value) && Math.abs(value) < maxInt64 ? 'int64' : 'float64';
    default:
      return 'map[string]interface {}';
  }
}
