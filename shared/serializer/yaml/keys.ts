import { isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { goFloat, goQuote } from '#shared/apimachinery/text/go-format.ts';
import { YamlFailure } from './failure.ts';
import type { YamlScalar } from './scalars.ts';

/** A key of a mapping. */
export interface YamlKey {
  /** The key in JSON (sigs.k8s.io/yaml). */
  readonly text: string;
  /** The key in Go's syntax, which distinguishes the number 1 from the text "1". */
  readonly shown: string;
}

const maxInt64 = 2n ** 63n - 1n;

/** The key of a scalar; undefined for null, which is no key in JSON. */
export function keyOfScalar({ value, isFloat }: YamlScalar): YamlKey | undefined {
  if (value === null) return undefined;
  if (typeof value === 'string') return { text: value, shown: goQuote(value) };
  if (typeof value === 'number' && isFloat) return { text: floatKey(value), shown: goFloat(value) };
  if (typeof value === 'bigint' && value > maxInt64) throw unsupportedKey('uint64', `0x${value.toString(16)}`, null);
  return { text: String(value), shown: String(value) };
}

/** A float key as go-yaml prints it: the shortest form as a float32. */
function floatKey(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '.nan' : value > 0 ? '.inf' : '-.inf';
  const single = Math.fround(value);
  for (let digits = 1; ; digits++) {
    const text = single.toExponential(digits - 1);
    if (Math.fround(Number(text)) === single || digits > 9) return goFloat(Number(text));
  }
}

export function nullKey(value: JsonValue): YamlFailure {
  return unsupportedKey('%!s(<nil>)', '<nil>', value);
}

function unsupportedKey(type: string, key: string, value: JsonValue): YamlFailure {
  return new YamlFailure(
    `unsupported map key of type: ${type}, key: ${key}, value: ${value === null ? '<nil>' : goSyntax(value)}`,
  );
}

export function invalidKey(value: JsonValue): YamlFailure {
  return new YamlFailure(`yaml: invalid map key: ${goSyntax(value)}`);
}

/** A value as Go's `%#v` prints go-yaml's value. */
function goSyntax(value: JsonValue): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return goFloat(value);
  if (!isObject(value)) return String(value);
  return `map[interface {}]interface {}{${Object.keys(value)
    .sort()
    .map((key) => `${goQuote(key)}:${goSyntax(value[key] ?? null)}`)
    .join(', ')}}`;
}
