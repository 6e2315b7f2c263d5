import { decodeUtf8 } from '#shared/serializer/json/parse.ts';
import { YamlFailure } from './failure.ts';

// How go-yaml v2 reads scalars (YAML 1.1's words for booleans included; resolve.go).

export interface YamlScalar {
  readonly value: string | number | bigint | boolean | null;
  /** Whether the value is a float, which is printed differently from an integer as a key. */
  readonly isFloat: boolean;
}

const core = 'tag:yaml.org,2002:';
/** Tags that determine the type of a scalar; with any other tag it stays a string. */
const resolved: ReadonlySet<string> = new Set(
  ['str', 'bool', 'int', 'float', 'null', 'timestamp'].map((name) => `${core}${name}`),
);

/** @throws YamlFailure where the text does not match its tag */
export function resolveScalar(tag: string | undefined, text: string, isPlain: boolean): YamlScalar {
  if (tag === undefined) return isPlain ? plainScalar(text).scalar : { value: text, isFloat: false };
  if (tag === `${core}binary`) return { value: decodeBase64(text), isFloat: false };
  if (!resolved.has(tag) || tag === `${core}str`) return { value: text, isFloat: false };
  const { type, scalar } =
    tag === `${core}timestamp` && timestampForm.test(text)
      ? { type: 'timestamp', scalar: { value: text, isFloat: false } }
      : plainScalar(text);
  if (`${core}${type}` === tag) return scalar;
  if (tag === `${core}float` && type === 'int' && !(typeof scalar.value === 'bigint' && scalar.value >= 2n ** 63n))
    return { value: Number(scalar.value), isFloat: true };
  throw new YamlFailure(`yaml: cannot decode !!${type} \`${text}\` as a !!${tag.slice(core.length)}`);
}

function plainScalar(text: string): { type: string; scalar: YamlScalar } {
  const of = (type: string, value: YamlScalar['value']): { type: string; scalar: YamlScalar } => ({
    type,
    scalar: { value, isFloat: type === 'float' },
  });
  if (nullWords.has(text)) return of('null', null);
  if (trueWords.has(text) || falseWords.has(text)) return of('bool', trueWords.has(text));
  if (!/^[-+.\d]/.test(text)) return of('str', text);
  if (timestampForm.test(text)) return of('timestamp', text);
  const integer = yamlInteger(text);
  if (integer !== undefined) return of('int', integer);
  const float = yamlFloat(text);
  return float === undefined ? of('str', text) : of('float', float);
}

function decodeBase64(text: string): string {
  const digits = text.replaceAll(/[\r\n]/g, '');
  if (digits.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(digits))
    throw new YamlFailure('yaml: !!binary value contains invalid base64 data');
  return decodeUtf8(Buffer.from(digits, 'base64'));
}

const trueWords: ReadonlySet<string> = new Set([
  'y',
  'Y',
  'yes',
  'Yes',
  'YES',
  'true',
  'True',
  'TRUE',
  'on',
  'On',
  'ON',
]);
const falseWords: ReadonlySet<string> = new Set([
  'n',
  'N',
  'no',
  'No',
  'NO',
  'false',
  'False',
  'FALSE',
  'off',
  'Off',
  'OFF',
]);
const nullWords: ReadonlySet<string> = new Set(['', '~', 'null', 'Null', 'NULL']);

const integerForm = /^([-+]?)(0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|0|[1-9][0-9]*)$/;

/** Go's ParseInt with base 0, underscores taken out first. */
function yamlInteger(source: string): number | bigint | undefined {
  const match = integerForm.exec(source.replaceAll('_', ''));
  if (match === null || source.startsWith('_')) return undefined;
  const digits = (match[2] as string).replace(/^0(?=[0-7])/, '0o');
  const value = match[1] === '-' ? -BigInt(digits) : BigInt(digits);
  if (value < -(2n ** 63n) || value >= 2n ** 64n) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

const floatForm = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const noJsonForm = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

function yamlFloat(source: string): number | undefined {
  if (noJsonForm.test(source))
    return source.startsWith('-') ? -Infinity : /n/i.test(source.slice(1, 2)) ? NaN : Infinity;
  const plain = source.startsWith('.') ? source : source.replaceAll('_', '');
  if (!floatForm.test(plain) || source.startsWith('_')) return undefined;
  const value = Number(plain);
  // A number too large for a float is a string; a negative zero becomes zero.
  return Number.isFinite(value) ? value + 0 : undefined;
}

const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const timestampForm =
  /^\d{4}-(\d{1,2})-(\d{1,2})(?:[Tt]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)| \d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?)?$/;

/** Whether a plain scalar would be read as a string. */
export function yamlKind(source: string): 'string' | 'other' {
  if (trueWords.has(source) || falseWords.has(source) || nullWords.has(source) || source === '<<') return 'other';
  if (!/^[-+.\d]/.test(source)) return 'string';
  if (yamlInteger(source) !== undefined || yamlFloat(source) !== undefined || base60.test(source)) return 'other';
  const date = timestampForm.exec(source);
  return date !== null && Number(date[1]) >= 1 && Number(date[1]) <= 12 && Number(date[2]) >= 1 && Number(date[2]) <= 31
    ? 'other'
    : 'string';
}
