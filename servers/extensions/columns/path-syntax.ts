import { unquote } from './unquote.ts';

/** Thrown if a path is invalid. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}

/** One step of a path. */
export type PathNode =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'members' }
  | { readonly kind: 'descendants' }
  | ({ readonly kind: 'slice' } & Slice)
  | { readonly kind: 'union'; readonly parts: readonly (readonly PathNode[])[] }
  | { readonly kind: 'filter'; readonly filter: ItemFilter }
  /** A quoted text: one result, whatever was found before. */
  | { readonly kind: 'text'; readonly text: string }
  /** A result for each that was found before. */
  | { readonly kind: 'constant'; readonly value: boolean | PlainNumber }
  /** `range`, `end`, or a word that means nothing. */
  | { readonly kind: 'word'; readonly word: string };

/** Items from `start` to before `end`; `[n]` has no end of its own (`isOne`). */
export interface Slice {
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly isOne: boolean;
  readonly stride: number;
}

/** Without an operator an item passes if the left side finds anything. */
export interface ItemFilter {
  readonly left: readonly PathNode[];
  readonly comparison: { readonly operator: string; readonly right: readonly PathNode[] } | undefined;
}

/**
 * A number that is none of an object's: one in the path (int or float64 in Go, and 2.0 stays a float), or a byte of a
 * text (uint8).
 */
export class PlainNumber {
  readonly value: number | bigint;
  readonly isFloat: boolean;

  constructor(value: number | bigint, isFloat: boolean) {
    this.value = value;
    this.isFloat = isFloat;
  }
}

/**
 * Reads the steps within each pair of braces of a template; text around them is skipped. A path of
 * `additionalPrinterColumns` is a template in one pair, but may close it and open others.
 * @throws JsonPathError
 */
export function parseTemplate(text: string): readonly (readonly PathNode[])[] {
  const reader = new TemplateReader(text);
  const actions: (readonly PathNode[])[] = [];
  while (reader.open()) actions.push(reader.steps());
  return actions;
}

/** The steps of a part of a path. Braces may end it early, as they end the whole. */
function parsePart(text: string): readonly PathNode[] {
  return parseTemplate(`{${text}}`)[0] ?? [];
}

const ends: ReadonlySet<string> = new Set([' ', '\t', '\r', '\n', '.', ',', '[', ']', '$', '@', '{', '}']);
const digit = /^\p{Nd}$/u;
const wordStart = /^[_\p{L}\p{Nd}]/u;
const quotedName = /^'([^']*)'$/;
const slicePattern = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/;
const filterPattern = /^([^!<>=]+)([!<>=]+)([^\n]+)$/;

class TemplateReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Moves behind the next opening brace; false if there is none. */
  open(): boolean {
    const brace = this.#text.indexOf('{', this.#at);
    this.#at = brace + 1;
    return brace >= 0;
  }

  /** The steps up to the closing brace. */
  steps(): readonly PathNode[] {
    const steps: PathNode[] = [];
    while (!this.#follows('}')) {
      if (this.#follows('[?(')) steps.push(this.#filter());
      else if (this.#follows('..')) this.#descent(steps);
      else this.#step(steps);
    }
    return steps;
  }

  #follows(token: string): boolean {
    const follows = this.#text.startsWith(token, this.#at);
    if (follows) this.#at += token.length;
    return follows;
  }

  #step(steps: PathNode[]): void {
    const char = this.#text[this.#at];
    switch (char) {
      case undefined:
      case '\r':
      case '\n':
        throw new JsonPathError('unclosed action');
      case ' ':
      case '@':
      case '$':
        this.#at++;
        return;
      case '[':
        steps.push(...this.#bracket());
        return;
      case '"':
      case "'":
        steps.push({ kind: 'text', text: this.#quoted(char) });
        return;
      case '.':
        this.#at++;
        steps.push(this.#field());
        return;
      default:
        steps.push(this.#numberOrWord(char));
    }
  }

  #numberOrWord(char: string): PathNode {
    if (char === '+' || char === '-' || digit.test(char)) return { kind: 'constant', value: this.#number() };
    if (!this.#startsWord()) throw new JsonPathError(`unrecognized character in action: ${char}`);
    const word = this.#until((other) => ends.has(other));
    return word === 'true' || word === 'false' ? { kind: 'constant', value: word === 'true' } : { kind: 'word', word };
  }

  #startsWord(): boolean {
    return wordStart.test(String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0));
  }

  #descent(steps: PathNode[]): void {
    if (steps.at(-1)?.kind === 'descendants') throw new JsonPathError('invalid multiple recursive descent');
    steps.push({ kind: 'descendants' });
    if (this.#startsWord()) steps.push(this.#field());
  }

  #field(): PathNode {
    const from = this.#at;
    while (this.#at < this.#text.length && !ends.has(this.#text[this.#at] as string))
      this.#at += this.#text[this.#at] === '\\' ? 2 : 1;
    const name = this.#text.slice(from, this.#at);
    return name === '*' ? { kind: 'members' } : { kind: 'field', name: name.replaceAll('\\', '') };
  }

  #number(): PlainNumber {
    const sign = /[+-]/.test(this.#text[this.#at] as string) ? (this.#text[this.#at++] as string) : '';
    const digits = this.#until((char) => char !== '.' && !digit.test(char));
    const integer = int64(sign === '-' ? `-${digits}` : digits);
    if (integer !== undefined) return new PlainNumber(integer, false);
    const value = /^(\d+\.?\d*|\.\d+)$/.test(digits) ? Number(sign + digits) : Number.NaN;
    if (!Number.isFinite(value)) throw new JsonPathError(`cannot parse number ${sign}${digits}`);
    return new PlainNumber(value, true);
  }

  /** The text before the first character that ends it. */
  #until(isEnd: (char: string) => boolean): string {
    const from = this.#at;
    while (this.#at < this.#text.length && !isEnd(this.#text[this.#at] as string)) this.#at++;
    return this.#text.slice(from, this.#at);
  }

  /** A bracket ends at the first closing one, be it in quotes. */
  #bracket(): readonly PathNode[] {
    this.#at++;
    const inner = this.#until((char) => char === ']' || char === '\n');
    if (!this.#follows(']')) throw new JsonPathError('unterminated array');
    const parts = inner.split(',');
    if (parts.length > 1) return [{ kind: 'union', parts: parts.map((part) => parsePart(`[${withoutSpaces(part)}]`)) }];
    const name = quotedName.exec(inner)?.[1];
    return name === undefined ? [sliceIn(inner === '*' ? ':' : inner)] : parsePart(`.${name}`);
  }

  #quoted(quote: string): string {
    const from = ++this.#at;
    while (this.#text[this.#at] !== quote || this.#text[this.#at - 1] === '\\') {
      if (this.#at >= this.#text.length || this.#text[this.#at] === '\n')
        throw new JsonPathError('unterminated quoted string');
      this.#at++;
    }
    const text = unquote(this.#text.slice(from, this.#at++), quote);
    if (text === undefined) throw new JsonPathError('invalid quoted string');
    return text;
  }

  /** Of quoted texts in it, only the first may have a closing parenthesis. */
  #filter(): PathNode {
    const from = this.#at;
    let quote = '';
    let isClosed = false;
    for (; ; this.#at++) {
      const char = this.#text[this.#at];
      if (char === undefined || char === '\n') throw new JsonPathError('unterminated filter');
      if (char === ')' && (quote === '' || isClosed)) break;
      if (quote === '' && (char === '"' || char === "'")) quote = char;
      else if (char === quote && this.#text[this.#at - 1] !== '\\') isClosed = true;
    }
    const inner = this.#text.slice(from, this.#at);
    if (!this.#follows(')]')) throw new JsonPathError('unclosed array expect ]');
    const [, left, operator, right] = filterPattern.exec(inner) ?? [];
    if (left === undefined || operator === undefined || right === undefined)
      return { kind: 'filter', filter: { left: parsePart(inner), comparison: undefined } };
    return { kind: 'filter', filter: { left: parsePart(left), comparison: { operator, right: parsePart(right) } } };
  }
}

/** The numbers within a bracket. `[]` is the first item. */
function sliceIn(text: string): PathNode {
  const found = slicePattern.exec(text);
  if (found === null) throw new JsonPathError(`invalid array index ${text}`);
  const [, first = '', second, third] = found;
  const start = integerIn(first);
  const isOne = second === undefined;
  return {
    kind: 'slice',
    start,
    end: isOne ? (start ?? 0) + 1 : integerIn(second.slice(1)),
    isOne,
    stride: integerIn((third ?? '').slice(1)) ?? 1,
  };
}

/** Further away than the end of any list, and exact in calculations. */
const farAway = 2 ** 52;

function integerIn(text: string): number | undefined {
  if (text === '') return undefined;
  const value = int64(text);
  if (value === undefined) throw new JsonPathError(`array index ${text} is not a number`);
  return Math.max(-farAway, Math.min(farAway, Number(value)));
}

/** The integer that digits spell, behind a minus perhaps; undefined for what int64 does not hold. */
function int64(text: string): bigint | undefined {
  const digits = /^-?0*(\d{1,19})$/.exec(text)?.[1];
  if (digits === undefined) return undefined;
  const value = BigInt(text.startsWith('-') ? `-${digits}` : digits);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

function withoutSpaces(text: string): string {
  let [from, to] = [0, text.length];
  while (text[from] === ' ') from++;
  while (to > from && text[to - 1] === ' ') to--;
  return text.slice(from, to);
}
