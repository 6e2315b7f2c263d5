import { Buffer } from 'node:buffer';
import { typeOf } from '#shared/cel/values/type-of.ts';
import { CelDouble, CelError, type CelList, CelUint, type Value } from '#shared/cel/values/value.ts';
import { fixed, scientific } from './format-number.ts';
import { formatString } from './format-value.ts';

/** Formats one clause: from values at run time, from types when an expression is checked. */
export interface ClauseFormatter<T> {
  string(argument: T): string | CelError;
  decimal(argument: T): string | CelError;
  fixed(argument: T, precision: number): string | CelError;
  scientific(argument: T, precision: number): string | CelError;
  binary(argument: T): string | CelError;
  hex(argument: T, upper: boolean): string | CelError;
  octal(argument: T): string | CelError;
}

const defaultPrecision = 6;
/** The most characters of a result: widths and precisions can make a long text from a short format. */
const longestResult = 16 * 1024 * 1024;

/**
 * Replaces the clauses of a format: `%s`, `%d`, `%.2f`, `%e`, `%b`, `%x`, `%X`, `%o`, and `%%`.
 * @param argument returns the argument at an index, undefined after the last one
 */
export function formatWith<T>(
  format: string,
  argument: (index: number) => T | undefined,
  formatter: ClauseFormatter<T>,
): string | CelError {
  const parts: string[] = [];
  let index = 0;
  let length = 0;
  for (let at = 0; ;) {
    const percent = format.indexOf('%', at);
    if (percent < 0) return parts.join('') + format.slice(at);
    parts.push(format.slice(at, percent));
    at = percent + 1;
    if (format[at] === '%') {
      parts.push('%');
      at++;
      continue;
    }
    const given = argument(index);
    if (given === undefined) return new CelError(`index ${index} out of range`);
    if (at >= format.length) return new CelError('unexpected end of string');
    const clause = readClause(format, at);
    if (clause instanceof CelError) return new CelError(`could not parse formatting clause: ${clause.message}`);
    const text = print(clause, given, formatter);
    if (text instanceof CelError) return new CelError(`error during formatting: ${text.message}`);
    if ((length += text.length) > longestResult) return new CelError('the formatted text is too long');
    parts.push(text);
    at = clause.end;
    index++;
  }
}

interface Clause {
  readonly verb: string;
  readonly precision: number;
  readonly end: number;
}

function readClause(format: string, from: number): Clause | CelError {
  let at = from;
  let precision = defaultPrecision;
  if (format[at] === '.') {
    const digits = /\d*/y;
    digits.lastIndex = ++at;
    const [text = ''] = digits.exec(format) ?? [];
    at += text.length;
    if (at >= format.length)
      return new CelError('error while parsing precision: could not find end of precision specifier');
    const wrong =
      text === '' ? 'invalid syntax' : BigInt(text) > 0x7fff_ffff_ffff_ffffn ? 'value out of range' : undefined;
    if (wrong !== undefined)
      return new CelError(
        `error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "${text}": ${wrong}`,
      );
    precision = Number(text);
  }
  const verb = format[at] ?? '';
  if ('sdfebxXo'.includes(verb)) return { verb, precision, end: at + 1 };
  // Upstream reads a single byte here, even of a longer character.
  const [byte = 0] = Buffer.from(format.slice(at, at + 2), 'utf8');
  return new CelError(`unrecognized formatting clause "${String.fromCharCode(byte)}"`);
}

function print<T>(clause: Clause, argument: T, formatter: ClauseFormatter<T>): string | CelError {
  switch (clause.verb) {
    case 's':
      return formatter.string(argument);
    case 'd':
      return formatter.decimal(argument);
    case 'f':
      return formatter.fixed(argument, clause.precision);
    case 'e':
      return formatter.scientific(argument, clause.precision);
    case 'b':
      return formatter.binary(argument);
    case 'o':
      return formatter.octal(argument);
    default:
      return formatter.hex(argument, clause.verb === 'X');
  }
}

export function format(text: string, list: CelList): string | CelError {
  return formatWith<Value>(text, (index) => (index < list.size ? list.get(index) : undefined), valueFormatter);
}

const valueFormatter: ClauseFormatter<Value> = {
  string: formatString,
  decimal: (value) => integer(value, 10) ?? clauseError('decimal', typeOf(value).name),
  fixed: (value, precision) => float(value, precision, fixed) ?? clauseError('fixed', typeOf(value).name),
  scientific: (value, precision) =>
    float(value, precision, scientific) ?? clauseError('scientific', typeOf(value).name),
  binary: (value) =>
    (typeof value === 'boolean' ? (value ? '1' : '0') : integer(value, 2)) ?? clauseError('binary', typeOf(value).name),
  octal: (value) => integer(value, 8) ?? clauseError('octal', typeOf(value).name),
  hex(value, upper) {
    const bytes =
      typeof value === 'string'
        ? Buffer.from(value, 'utf8')
        : value instanceof Uint8Array
          ? Buffer.from(value)
          : undefined;
    const text = bytes === undefined ? integer(value, 16) : bytes.toString('hex');
    if (text === undefined) return clauseError('hex', typeOf(value).name);
    return upper ? text.toUpperCase() : text;
  },
};

function integer(value: Value, base: number): string | undefined {
  const whole = value instanceof CelUint ? value.value : value;
  return typeof whole === 'number' || typeof whole === 'bigint' ? whole.toString(base) : undefined;
}

const namedNumbers: ReadonlyMap<Value, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

function float(
  value: Value,
  precision: number,
  print: (value: number, precision: number) => string,
): string | undefined {
  const number = value instanceof CelDouble ? value.value : namedNumbers.get(value);
  return number === undefined ? undefined : print(number, precision);
}

const limitsOfClauses = {
  binary: 'only integers and bools can be formatted as binary',
  decimal: 'decimal clause can only be used on integers',
  fixed: 'fixed-point clause can only be used on doubles',
  scientific: 'scientific clause can only be used on doubles',
  hex: 'only integers, byte buffers, and strings can be formatted as hex',
  octal: 'octal clause can only be used on integers',
  string:
    'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
} as const;

/** The error for an argument whose type a clause does not support. */
export function clauseError(clause: keyof typeof limitsOfClauses, typeName: string): CelError {
  return new CelError(`${limitsOfClauses[clause]}, was given ${typeName}`);
}
