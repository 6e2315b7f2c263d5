import type { JsonObject, JsonValue } from '../apimachinery/json.ts';
import { isObject } from '../apimachinery/json.ts';
import { yamlKind } from './yaml-scalars.ts';

/**
 * YAML of a JSON value as sigs.k8s.io/yaml prints it: go-yaml v2's choice of quotes and order of keys, lists not
 * indented, texts folded at the first blank beyond column 80. Ends with a line break.
 */
export function emitYaml(value: JsonValue): string {
  if (Array.isArray(value) && value.length > 0) return `${listLines(value, '').join('\n')}\n`;
  if (isObject(value) && Object.keys(value).length > 0) return `${mapLines(value, '').join('\n')}\n`;
  return `${inline(value, '', 0)}\n`;
}

function mapLines(object: JsonObject, indent: string): string[] {
  return Object.keys(object).sort(compareKeys).flatMap((key) => {
    const value = object[key] as JsonValue;
    const head = `${indent}${keyText(key)}:`;
    if (Array.isArray(value) && value.length > 0) return [head, ...listLines(value, indent)];
    if (isObject(value) && Object.keys(value).length > 0) return [head, ...mapLines(value, `${indent}  `)];
    return [`${head} ${inline(value, `${indent}  `, head.length + 1)}`];
  });
}

function listLines(list: readonly JsonValue[], indent: string): string[] {
  return list.flatMap((value) => {
    const inner = `${indent}  `;
    const lines = Array.isArray(value) && value.length > 0 ? listLines(value, inner) : isObject(value) && Object.keys(value).length > 0 ? mapLines(value, inner) : undefined;
    if (lines === undefined) return [`${indent}- ${inline(value, inner, inner.length)}`];
    const [first = '', ...rest] = lines;
    return [`${indent}- ${first.slice(inner.length)}`, ...rest];
  });
}

/** A value that begins on its key's line at `column`; `indent` is that of a text's further lines. */
function inline(value: JsonValue, indent: string, column: number): string {
  if (typeof value === 'string') return scalarText(value, indent, column);
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

/** What the look of a text allows (go-yaml, yaml_emitter_analyze_scalar). */
interface Analysis {
  plain: boolean;
  single: boolean;
  block: boolean;
}

/** @param column where the text begins; undefined for a key, which stays on its line */
function scalarText(text: string, indent: string, column: number | undefined): string {
  const look = analyze(text);
  const fold = (shown: string, style: Style): string => (column === undefined ? shown : folded(shown, style, column, indent));
  if (text.includes('\n')) return look.block && column !== undefined ? literal(text, indent) : fold(doubleQuoted(text), 'double');
  if (yamlKind(text) !== 'string') return fold(doubleQuoted(text), 'double');
  if (look.plain) return fold(text, 'plain');
  return look.single ? fold(`'${text.replaceAll("'", "''")}'`, 'single') : fold(doubleQuoted(text), 'double');
}

type Style = 'plain' | 'single' | 'double';

const bestWidth = 80;

/** Breaks lines at single blanks beyond the width; those right within the quotes, and runs of blanks, stay. */
function folded(shown: string, style: Style, column: number, indent: string): string {
  if (column + shown.length <= bestWidth) return shown;
  const chars = [...shown];
  const last = chars.length - (style === 'plain' ? 1 : 2);
  let at = column;
  let afterBlank = false;
  return chars.map((char, index) => {
    const isBlank = char === ' ';
    const inside = style === 'plain' || (index > 1 && index < last);
    const breaks = isBlank && !afterBlank && at > bestWidth && inside && (style === 'double' || chars[index + 1] !== ' ');
    afterBlank = isBlank;
    at = breaks ? indent.length : at + 1;
    return breaks ? `\n${indent}${style === 'double' && chars[index + 1] === ' ' ? '\\' : ''}` : char;
  }).join('');
}

const firstIndicators = '#,[]{}&*!|>\'"%@`';

function analyze(text: string): Analysis {
  const indicators = hasIndicators(text);
  const outer = /^[ \n]|[ \n]$/.test(text);
  const breakSpace = /\n /.test(text);
  const special = / \n/.test(text) || [...text].some((char) => !isPrintable(char));
  return {
    plain: !indicators && !outer && !breakSpace && !special && !text.includes('\n'),
    single: !breakSpace && !special,
    block: !text.endsWith(' ') && !special,
  };
}

/** Whether the text means something to a reader outside of quotes, in block style. */
function hasIndicators(text: string): boolean {
  if (text.startsWith('---') || text.startsWith('...')) return true;
  const first = text.charAt(0);
  if (first !== '' && firstIndicators.includes(first)) return true;
  if (/^[-?:](?:[ \t\n]|$)/.test(text)) return true;
  return /:(?:[ \t\n]|$)/.test(text.slice(1)) || /[ \t\n]#/.test(text);
}

function isPrintable(char: string): boolean {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x80) return code === 0x0a || (code >= 0x20 && code <= 0x7e);
  // go-yaml knows no characters beyond the basic plane as printable.
  return code >= 0xa0 && code < 0xfffe && !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfeff && code !== 0x2028 && code !== 0x2029;
}

function literal(text: string, indent: string): string {
  const hint = /^[ \n]/.test(text) ? '2' : '';
  const chomp = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : '';
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
  return `|${hint}${chomp}\n${lines.map((line) => (line === '' ? '' : indent + line)).join('\n')}`;
}

const escapes: Readonly<Record<string, string>> = {
  '\0': '\\0', '\u0007': '\\a', '\b': '\\b', '\t': '\\t', '\n': '\\n', '\v': '\\v', '\f': '\\f', '\r': '\\r', '\u001b': '\\e', '"': '\\"', '\\': '\\\\',
  '\u0085': '\\N', '\u00a0': '\\_', '\u2028': '\\L', '\u2029': '\\P',
};

function doubleQuoted(text: string): string {
  const escaped = [...text].map((char) => {
    const known = escapes[char];
    if (known !== undefined && char !== '\u00a0') return known;
    if (isPrintable(char)) return char;
    const code = char.codePointAt(0) ?? 0;
    const hex = code.toString(16).toUpperCase();
    return code <= 0xff ? `\\x${hex.padStart(2, '0')}` : code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
  });
  return `"${escaped.join('')}"`;
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
