import { yamlKind } from './scalars.ts';

/** What the look of a text allows (go-yaml, yaml_emitter_analyze_scalar). */
interface Analysis {
  plain: boolean;
  single: boolean;
  block: boolean;
}

/**
 * A text as go-yaml v2 prints it.
 * @param column where the text begins; undefined for a key, which stays on its line
 */
export function scalarText(text: string, indent: string, column: number | undefined): string {
  const look = analyze(text);
  const fold = (shown: string, style: Style): string => (column === undefined ? shown : folded(shown, style, column, indent));
  if (text.includes('\n')) return look.block && column !== undefined ? literal(text, indent, 2) : fold(doubleQuoted(text), 'double');
  if (yamlKind(text) !== 'string') return fold(doubleQuoted(text), 'double');
  if (look.plain) return fold(text, 'plain');
  return look.single ? fold(singleQuoted(text), 'single') : fold(doubleQuoted(text), 'double');
}

/** The same for go-yaml v3, where it prints a text that came in quotes: it breaks no lines, and knows fewer words for true and false. */
export function nodeText(text: string, indent: string): string {
  const look = analyze(text);
  if (text.includes('\n')) return look.block ? literal(text, indent, 4) : doubleQuoted(text);
  if (yamlKind(text) !== 'string' && !plainInVersion3.test(text)) return doubleQuoted(text);
  if (look.plain) return text;
  return look.single ? singleQuoted(text) : doubleQuoted(text);
}

const plainInVersion3 = /^(?:y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF|<<|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?)$/;

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

function literal(text: string, indent: string, width: number): string {
  const hint = /^[ \n]/.test(text) ? String(width) : '';
  const chomp = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : '';
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
  return `|${hint}${chomp}\n${lines.map((line) => (line === '' ? '' : indent + line)).join('\n')}`;
}

const escapes: Readonly<Record<string, string>> = {
  '\0': '\\0', '\u0007': '\\a', '\b': '\\b', '\t': '\\t', '\n': '\\n', '\v': '\\v', '\f': '\\f', '\r': '\\r', '\u001b': '\\e', '"': '\\"', '\\': '\\\\',
  '\u0085': '\\N', '\u00a0': '\\_', '\u2028': '\\L', '\u2029': '\\P',
};

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

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
