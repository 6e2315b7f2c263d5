// How go-yaml v2 reads a scalar without quotes (YAML 1.1's words for booleans included).

export const trueWords: ReadonlySet<string> = new Set(['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON']);
export const falseWords: ReadonlySet<string> = new Set(['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF']);
export const nullWords: ReadonlySet<string> = new Set(['', '~', 'null', 'Null', 'NULL']);

const integerForm = /^([-+]?)(0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|0|[1-9][0-9]*)$/;

/** Go's ParseInt with base 0, underscores taken out first. */
export function yamlInteger(source: string): number | bigint | undefined {
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

export function yamlFloat(source: string): number | undefined {
  if (noJsonForm.test(source)) return source.startsWith('-') ? -Infinity : /n/i.test(source.slice(1, 2)) ? NaN : Infinity;
  const plain = source.replaceAll('_', '');
  return floatForm.test(plain) && !source.startsWith('_') ? Number(plain) : undefined;
}

const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const timestamp = /^\d{4}-(\d{1,2})-(\d{1,2})(?:[Tt]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)| \d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?)?$/;

/** Whether a text without quotes would be read as a text. */
export function yamlKind(source: string): 'string' | 'other' {
  if (trueWords.has(source) || falseWords.has(source) || nullWords.has(source) || source === '<<') return 'other';
  if (!/^[-+.\d]/.test(source)) return 'string';
  if (yamlInteger(source) !== undefined || yamlFloat(source) !== undefined || base60.test(source)) return 'other';
  const date = timestamp.exec(source);
  return date !== null && Number(date[1]) >= 1 && Number(date[1]) <= 12 && Number(date[2]) >= 1 && Number(date[2]) <= 31 ? 'other' : 'string';
}
