import { getKey, isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';

/** One step of a path: takes one value and returns the values that the step selects in it. */
type Step = (value: JsonValue) => readonly JsonValue[];

/** Thrown if a path is invalid. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}

/** Finds the values that a path selects in an object; returns none where a key is missing. */
export type JsonPath = (object: JsonValue) => readonly JsonValue[];

/**
 * Parses a path in the syntax of `additionalPrinterColumns`: `.spec.a`, `['a.b']`, `.a\.b`, `[0]`, `[-1:]`, `[*]`,
 * `..name`, `[?(@.type=="Ready")]` (k8s.io/client-go/util/jsonpath, with missing keys allowed).
 * @throws JsonPathError
 */
export function parseJsonPath(text: string): JsonPath {
  const steps = new PathReader(text).steps();
  return (object) => {
    let values: readonly JsonValue[] = [object];
    for (const step of steps) {
      values = values.flatMap(step);
      if (values.length === 0) break;
    }
    return values;
  };
}

class PathReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  steps(): Step[] {
    const steps: Step[] = [];
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at];
      if (char === '$' || char === '@') this.#at++;
      else if (char === '.') steps.push(...this.#dot());
      else if (char === '[') steps.push(this.#bracket());
      else throw new JsonPathError(`unrecognized character in action: ${char ?? ''}`);
    }
    return steps;
  }

  #dot(): Step[] {
    this.#at++;
    if (this.#text[this.#at] === '.') {
      this.#at++;
      return [descend, ...this.#name()];
    }
    return this.#name();
  }

  #name(): Step[] {
    let name = '';
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at] as string;
      if (char === '\\') {
        this.#at++;
        name += this.#text[this.#at] ?? '';
      } else if (char === '.' || char === '[' || char === ' ' || char === ']') break;
      else name += char;
    }
    if (name === '') return [];
    return [name === '*' ? members : field(name)];
  }

  #bracket(): Step {
    const start = this.#at + 1;
    const end = this.#closing(start);
    const inner = this.#text.slice(start, end).trim();
    this.#at = end + 1;
    const filter = /^\?\((.*)\)$/s.exec(inner);
    if (filter !== null) return filterStep(filter[1] ?? '');
    if (inner === '*') return members;
    const quoted = /^'(.*)'$|^"(.*)"$/s.exec(inner);
    if (quoted !== null) return field((quoted[1] ?? quoted[2] ?? '').replaceAll(/\\(.)/g, '$1'));
    const range = /^(-?\d*)(?::(-?\d*))?(?::(-?\d+))?$/.exec(inner);
    if (range === null || inner === '') throw new JsonPathError(`invalid array index ${inner}`);
    return inner.includes(':') ? slice(range[1] ?? '', range[2] ?? '', range[3] ?? '') : index(Number(inner));
  }

  /** The position of the closing bracket; skips quoted text and nested brackets. */
  #closing(start: number): number {
    let depth = 0;
    let quote = '';
    for (let at = start; at < this.#text.length; at++) {
      const char = this.#text[at] as string;
      if (char === '\\') at++;
      else if (quote !== '') quote = char === quote ? '' : quote;
      else if (char === '"' || char === "'") quote = char;
      else if (char === '[') depth++;
      else if (char === ']' && depth-- === 0) return at;
    }
    throw new JsonPathError('unterminated array');
  }
}

function field(name: string): Step {
  return (value) => {
    const found = isObject(value) ? getKey(value, name) : undefined;
    return found === undefined ? [] : [found];
  };
}

function members(value: JsonValue): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  return isObject(value)
    ? Object.keys(value)
        .sort()
        .map((key) => value[key] as JsonValue)
    : [];
}

/** The value and all its descendants. */
function descend(value: JsonValue): readonly JsonValue[] {
  const found: JsonValue[] = [];
  const collect = (one: JsonValue): void => {
    found.push(one);
    for (const member of members(one)) collect(member);
  };
  collect(value);
  return found;
}

function index(at: number): Step {
  return (value) => {
    const found = Array.isArray(value) ? value.at(at) : undefined;
    return found === undefined ? [] : [found];
  };
}

function slice(from: string, to: string, step: string): Step {
  const stride = step === '' ? 1 : Number(step);
  if (stride < 1) throw new JsonPathError('step must be > 0');
  return (value) => {
    if (!Array.isArray(value)) return [];
    const items = value.slice(from === '' ? 0 : Number(from), to === '' ? undefined : Number(to));
    return items.filter((_item, position) => position % stride === 0);
  };
}

interface Comparison {
  readonly left: string;
  readonly operator: string;
  readonly right: string;
}

const operators = /==|!=|<=|>=|<|>/g;

/** Splits a filter at its first operator; undefined if there is none, or if the right side is empty. */
function comparisonIn(text: string): Comparison | undefined {
  operators.lastIndex = 1;
  const match = operators.exec(text);
  if (match === null) return undefined;
  const [found] = match;
  // A `<=` at the end of the text has no right operand, so it is read as `<` with the operand `=`.
  const operator =
    match.index + found.length < text.length
      ? found
      : found.startsWith('<') || found.startsWith('>')
        ? found.slice(0, 1)
        : '';
  const right = text.slice(match.index + operator.length);
  return operator === '' || right === ''
    ? undefined
    : { left: text.slice(0, match.index).trimEnd(), operator, right: right.trimStart() };
}

function filterStep(text: string): Step {
  const comparison = comparisonIn(text.trim());
  const left = operand(comparison === undefined ? text.trim() : comparison.left);
  const keeps =
    comparison === undefined
      ? (item: JsonValue): boolean => left(item).length > 0
      : compare(left, comparison.operator, operand(comparison.right));
  return (value) => (Array.isArray(value) ? value.filter(keeps) : []);
}

/** One side of a comparison: a path, or a constant. */
function operand(text: string): JsonPath {
  const trimmed = text.trim();
  if (trimmed.startsWith('@') || trimmed.startsWith('$') || trimmed.startsWith('.')) return parseJsonPath(trimmed);
  const quoted = /^'(.*)'$|^"(.*)"$/s.exec(trimmed);
  if (quoted !== null) return () => [quoted[1] ?? quoted[2] ?? ''];
  if (trimmed === 'true' || trimmed === 'false') return () => [trimmed === 'true'];
  if (/^[-+]?\d+(\.\d+)?$/.test(trimmed)) return () => [Number(trimmed)];
  throw new JsonPathError(`unrecognized identifier ${trimmed}`);
}

function compare(left: JsonPath, operator: string, right: JsonPath): (item: JsonValue) => boolean {
  return (item) => {
    const [a] = left(item);
    const [b] = right(item);
    if (
      a === undefined ||
      b === undefined ||
      a === null ||
      b === null ||
      typeof a !== typeof b ||
      typeof a === 'object'
    )
      return false;
    switch (operator) {
      case '==':
        return a === b;
      case '!=':
        return a !== b;
      case '<':
        return a < b;
      case '>':
        return a > b;
      case '<=':
        return a <= b;
      default:
        return a >= b;
    }
  };
}
