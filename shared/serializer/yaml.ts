import {
  constructFromEvents, defineMappingTag, defineScalarTag, dump, DUMP_SCHEMA, EVENT_ALIAS, mergeTag, NOT_RESOLVED, parseEvents, Schema, seqTag,
  strTag, YAMLException,
} from 'js-yaml';
import { isObject, setKey, type JsonObject, type JsonValue } from '../apimachinery/json.ts';
import { sortedKeys } from './json/go-text.ts';
import { decodeUtf8 } from './json/parse.ts';
import { findDuplicateKeys } from './yaml-duplicates.ts';

/** YAML that cannot be read. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
}

export interface ParsedYaml {
  readonly value: JsonValue;
  /** What a strict reader says of duplicate keys, as one text (go-yaml's); empty when there are none. */
  readonly strictErrors: string[];
}

/** Nesting that is read; deeper input is refused. */
const maxDepth = 1000;
/** Aliases that one document may use: each can multiply the size of the result. */
const maxAliases = 1000;
/** Values that a document may unfold to through its aliases. */
const maxValues = 1_000_000;

const trueWords = new Set(['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON']);
const falseWords = new Set(['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF']);
const nullWords = new Set(['', '~', 'null', 'Null', 'NULL']);

const boolTag = defineScalarTag<boolean>('tag:yaml.org,2002:bool', {
  implicit: true,
  resolve: (source) => (trueWords.has(source) ? true : falseWords.has(source) ? false : NOT_RESOLVED),
  identify: (data) => typeof data === 'boolean',
});

const nullTag = defineScalarTag<null>('tag:yaml.org,2002:null', {
  implicit: true,
  resolve: (source) => (nullWords.has(source) ? null : NOT_RESOLVED),
  identify: (data) => data === null,
  represent: () => 'null',
});

const integerForm = /^([-+]?)(0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|0|[1-9][0-9]*)$/;

/** Go's ParseInt with base 0, underscores taken out first. */
function integerOf(source: string): number | bigint | undefined {
  const match = integerForm.exec(source.replaceAll('_', ''));
  if (match === null || source.startsWith('_')) return undefined;
  const digits = (match[2] as string).replace(/^0(?=[0-7])/, '0o');
  const value = match[1] === '-' ? -BigInt(digits) : BigInt(digits);
  if (value < -(2n ** 63n) || value >= 2n ** 64n) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

const intTag = defineScalarTag<number | bigint>('tag:yaml.org,2002:int', {
  implicit: true,
  resolve: (source) => integerOf(source) ?? NOT_RESOLVED,
  identify: (data) => typeof data === 'bigint' || Number.isInteger(data),
});

/** Integers beyond a number's, on the way out. */
const bigIntTag = defineScalarTag<bigint>('tag:yaml.org,2002:int', {
  implicit: true,
  resolve: (source) => (integerOf(source) === undefined ? NOT_RESOLVED : 0n),
  identify: (data) => typeof data === 'bigint' || Number.isInteger(data),
});

const floatForm = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const noJsonForm = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

const floatTag = defineScalarTag<number>('tag:yaml.org,2002:float', {
  implicit: true,
  resolve: resolveFloat,
  identify: (data) => typeof data === 'number' && !Number.isInteger(data),
});

function resolveFloat(source: string): number | typeof NOT_RESOLVED {
  if (noJsonForm.test(source)) return source.startsWith('-') ? -Infinity : /n/i.test(source.slice(1, 2)) ? NaN : Infinity;
  const plain = source.replaceAll('_', '');
  return floatForm.test(plain) ? Number(plain) : NOT_RESOLVED;
}

/** Keys of any scalar type become text, as sigs.k8s.io/yaml has it. */
function keyText(key: unknown): string | undefined {
  if (typeof key === 'string') return key;
  if (typeof key === 'number' || typeof key === 'bigint' || typeof key === 'boolean') return String(key);
  return undefined;
}

const mapTag = defineMappingTag<JsonObject>('tag:yaml.org,2002:map', {
  create: () => ({}),
  addPair: (carrier, key, value) => {
    const text = keyText(key);
    if (text === undefined) return 'unsupported map key of type: ' + (key === null ? '%!s(<nil>)' : typeof key);
    setKey(carrier, text, value as JsonValue);
    return '';
  },
  has: (carrier, key) => Object.hasOwn(carrier, keyText(key) ?? ''),
  keys: (carrier) => Object.keys(carrier),
  get: (carrier, key) => carrier[key as string],
  identify: (data) => isObject(data as JsonValue),
  represent: (data) => new Map(sortedKeys(data as JsonObject).map((key) => [key, (data as JsonObject)[key]])),
});

/** Scalars as go-yaml v2 resolves them (YAML 1.1's words for booleans included), plus merge keys. */
const schema = new Schema([strTag, nullTag, boolTag, intTag, floatTag, mergeTag, seqTag, mapTag]);

const infinite = /\.(?:inf|nan)/i;

function wrap(error: unknown): Error {
  if (!(error instanceof YAMLException)) return error instanceof Error ? error : new Error(String(error));
  const line = error.mark?.line;
  return new YamlError(line === undefined ? `yaml: ${error.reason}` : `yaml: line ${line + 1}: ${error.reason}`);
}

/** Aliases make one value of many places: gives each place its own, within a limit, and refuses what JSON cannot hold. */
class Unfolder {
  #left = maxValues;

  copy(value: JsonValue): JsonValue {
    if (--this.#left < 0) throw new YamlError('yaml: document contains excessive aliasing');
    if (typeof value === 'number' && !Number.isFinite(value)) throw new YamlError(`json: unsupported value: ${goInfinity(value)}`);
    if (Array.isArray(value)) return value.map((item) => this.copy(item));
    if (!isObject(value)) return value;
    const out: JsonObject = {};
    for (const key of Object.keys(value)) setKey(out, key, this.copy(value[key] as JsonValue));
    return out;
  }
}

function goInfinity(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

/**
 * The first document of a YAML text as a JSON value; an empty one is null.
 * @throws YamlError
 */
export function parseYaml(bytes: Uint8Array): ParsedYaml {
  const text = decodeUtf8(bytes);
  try {
    const events = parseEvents(text, { maxDepth });
    const [first] = constructFromEvents(events, { source: text, schema, json: true, maxAliases }) as JsonValue[];
    const shared = events.some((event) => event.type === EVENT_ALIAS) || infinite.test(text);
    return { value: shared ? new Unfolder().copy(first ?? null) : (first ?? null), strictErrors: findDuplicateKeys(text, events) };
  } catch (error) {
    throw wrap(error);
  }
}

/** YAML of a JSON value, keys sorted, lists not indented (what `Accept: application/yaml` answers). Ends with a line break. */
export function encodeYaml(value: JsonValue): Buffer {
  return Buffer.from(dump(value, { schema: dumpSchema, seqNoIndent: true, lineWidth: -1, noRefs: true, quoteStyle: 'double' }), 'utf8');
}

const dumpSchema = DUMP_SCHEMA.withTags(mapTag, bigIntTag);
