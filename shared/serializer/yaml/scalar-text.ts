import { yamlKind } from './scalars.ts';

/** The styles that the characters of a text allow (go-yaml, yaml_emitter_analyze_scalar). */
interface Analysis {
  plain: boolean;
  single: boolean;
  block: boolean;
}

/** Texts that are printed plain without further checks: no special word of YAML is that long. */
const harmless = /^[A-Za-z][A-Za-z0-9_./-]{5,}$/;

/**
 * A text as go-yaml v2 prints it.
 * @param column where the text begins; undefined for a key, which stays on its line
 */
export function scalarText(text: string, indent: string, column: number | undefined): string {
  if (text.length < bestWidth && harmless.test(text)) return text;
  let out = '';
  for (const piece of scalarPieces(text, indent, column)) out += piece;
  return out;
}

/** The text of {@link scalarText} in pieces, each of which takes about the same time. */
export function* scalarPieces(text: string, indent: string, column: number | undefined): Generator<string, void> {
  const analysis = analyze(text);
  yield '';
  const style = styleOf(text, analysis, column !== undefined);
  if (style === 'literal') yield* literal(text, indent, 2);
  else {
    const shown = shownPieces(text, style);
    yield marks[style];
    yield* column === undefined || !text.includes(' ') ? shown : folded(shown, style, column, indent);
    yield marks[style];
  }
}

function styleOf(text: string, analysis: Analysis, mayBreak: boolean): Style | 'literal' {
  if (text.includes('\n')) return analysis.block && mayBreak ? 'literal' : 'double';
  // The merge key `<<` is not read as a string, but is printed without quotes.
  if (yamlKind(text) !== 'string' && text !== '<<') return 'double';
  if (analysis.plain) return 'plain';
  return analysis.single ? 'single' : 'double';
}

/** Characters that are processed in one step. */
const pieceLength = 8 * 1024;

/** Cuts a text into pieces, never within a surrogate pair. */
function* cut(text: string): Generator<string, void> {
  for (let at = 0; at < text.length;) {
    let end = Math.min(text.length, at + pieceLength);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end++;
    yield text.slice(at, end);
    at = end;
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

/** The content between the quotes, or the plain text. */
function* shownPieces(text: string, style: Style): Generator<string, void> {
  for (const part of cut(text))
    yield style === 'plain' ? part : style === 'single' ? part.replaceAll("'", "''") : escaped(part);
}

const marks: Readonly<Record<Style, string>> = { plain: '', single: "'", double: '"' };

/**
 * How go-yaml v3 prints a text that was quoted in the source: it does not fold lines, and reads fewer words as booleans
 * than version 2.
 */
export function nodeText(text: string, indent: string): string {
  const analysis = analyze(text);
  if (text.includes('\n')) return analysis.block ? [...literal(text, indent, 4)].join('') : doubleQuoted(text);
  if (yamlKind(text) !== 'string' && !plainInVersion3.test(text)) return doubleQuoted(text);
  if (analysis.plain) return text;
  return analysis.single ? singleQuoted(text) : doubleQuoted(text);
}

const plainInVersion3 =
  /^(?:y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF|<<|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?)$/;

type Style = 'plain' | 'single' | 'double';

const bestWidth = 80;

/** Breaks lines at single blanks beyond the width, but not at blanks next to the quotes or in runs of blanks. */
function* folded(pieces: Iterable<string>, style: Style, column: number, indent: string): Generator<string, void> {
  const fold = new Fold(style, column, indent);
  let piece: string | undefined;
  for (const following of pieces) {
    if (piece !== undefined) yield fold.next(piece, following.charAt(0));
    piece = following;
  }
  if (piece !== undefined) yield fold.next(piece, '');
}

/** Folds a scalar: decides at each character whether the line is broken there. */
class Fold {
  readonly #style: Style;
  readonly #indent: string;
  #column: number;
  #isFirst = true;
  #afterBlank = false;

  constructor(style: Style, column: number, indent: string) {
    this.#style = style;
    this.#column = column + marks[style].length;
    this.#indent = indent;
  }

  /** Folds a piece. `following` is the character after the piece; empty at the end of the text. */
  next(piece: string, following: string): string {
    let out = '';
    let from = 0;
    for (let at = 0; at < piece.length; at++) {
      const code = piece.charCodeAt(at);
      // A surrogate pair is one character: only its second half is counted.
      if (isHighSurrogate(code)) continue;
      const isBlank = code === 0x20;
      const mayBreak =
        isBlank && !this.#afterBlank && this.#column > bestWidth && !(this.#isFirst && this.#style !== 'plain');
      this.#isFirst = false;
      this.#afterBlank = isBlank;
      const after = at + 1 < piece.length ? piece.charAt(at + 1) : following;
      if (!mayBreak || !this.#breaksBefore(after)) {
        this.#column++;
        continue;
      }
      out += `${piece.slice(from, at)}\n${this.#indent}${this.#style === 'double' && after === ' ' ? '\\' : ''}`;
      from = at + 1;
      this.#column = this.#indent.length;
    }
    return out + piece.slice(from);
  }

  #breaksBefore(after: string): boolean {
    if (this.#style === 'plain') return after !== ' ';
    return after !== '' && (this.#style === 'double' || after !== ' ');
  }
}

const firstIndicators = '#,[]{}&*!|>\'"%@`';

function analyze(text: string): Analysis {
  const indicators = hasIndicators(text);
  const outer = /^[ \n]|[ \n]$/.test(text);
  const breakSpace = /\n /.test(text);
  const needsEscapes = / \n/.test(text) || unprintable.test(text);
  return {
    plain: !indicators && !outer && !breakSpace && !needsEscapes && !text.includes('\n'),
    single: !breakSpace && !needsEscapes,
    block: !text.endsWith(' ') && !needsEscapes,
  };
}

/** Whether a plain text in block style would have a special meaning to a reader. */
function hasIndicators(text: string): boolean {
  if (text.startsWith('---') || text.startsWith('...')) return true;
  const first = text.charAt(0);
  if (first !== '' && firstIndicators.includes(first)) return true;
  if (/^[-?:](?:[ \t\n]|$)/.test(text)) return true;
  return /:(?:[ \t\n]|$)/.test(text.slice(1)) || /[ \t\n]#/.test(text);
}

/** Any character for which {@link isPrintable} is false. */
// oxlint-disable-next-line no-control-regex
const unprintable = /[^\n -~\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]|[\u2028\u2029]/u;

function isPrintable(char: string): boolean {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x80) return code === 0x0a || (code >= 0x20 && code <= 0x7e);
  // go-yaml treats no character beyond the basic plane as printable.
  return (
    code >= 0xa0 &&
    code < 0xfffe &&
    !(code >= 0xd800 && code <= 0xdfff) &&
    code !== 0xfeff &&
    code !== 0x2028 &&
    code !== 0x2029
  );
}

/**
 * Prints a literal block, line by line. `width` is the width of its indentation, which the header states if the text
 * begins with blanks.
 */
function* literal(text: string, indent: string, width: number): Generator<string, void> {
  const hint = /^[ \n]/.test(text) ? String(width) : '';
  const chomp = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : '';
  yield `|${hint}${chomp}`;
  const body = text.endsWith('\n') ? text.slice(0, -1) : text;
  let startsLine = true;
  yield '\n';
  for (const part of cut(body)) {
    const lines = part.split('\n');
    let out = '';
    for (let at = 0; at < lines.length; at++) {
      const line = lines[at] as string;
      if (at > 0) out += '\n';
      if (line !== '') out += at > 0 || startsLine ? indent + line : line;
      startsLine = line === '' && (at > 0 || startsLine);
    }
    yield out;
  }
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['\0', '\\0'],
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\v', '\\v'],
  ['\f', '\\f'],
  ['\r', '\\r'],
  ['\u001b', '\\e'],
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\u0085', '\\N'],
  ['\u00a0', '\\_'],
  ['\u2028', '\\L'],
  ['\u2029', '\\P'],
]);

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function doubleQuoted(text: string): string {
  return `"${escaped(text)}"`;
}

/** Characters that have to be escaped in double quotes. */
// oxlint-disable-next-line no-control-regex
const needsEscape = /[^ !#-[\]-~\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]|[\u2028\u2029]/u;

function escaped(text: string): string {
  if (!needsEscape.test(text)) return text;
  let out = '';
  for (const char of text) out += escapedCharacter(char);
  return out;
}

function escapedCharacter(char: string): string {
  const known = escapes.get(char);
  if (known !== undefined && char !== '\u00a0') return known;
  if (isPrintable(char)) return char;
  const code = char.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  return code <= 0xff
    ? `\\x${hex.padStart(2, '0')}`
    : code <= 0xffff
      ? `\\u${hex.padStart(4, '0')}`
      : `\\U${hex.padStart(8, '0')}`;
}
