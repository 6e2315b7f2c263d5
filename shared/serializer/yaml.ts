import {
  constructFromEvents, defineMappingTag, defineScalarTag, mergeTag, NOT_RESOLVED, parseEvents, Schema, seqTag,
  strTag, YAMLException,
} from 'js-yaml';
import { compareUtf8 } from '../apimachinery/go-format.ts';
import { isObject, setKey, type JsonObject, type JsonValue } from '../apimachinery/json.ts';
import { decodeUtf8 } from './json/parse.ts';
import { findSelfReference } from './yaml-anchors.ts';
import { findDuplicateKeys } from './yaml-duplicates.ts';
import { flowFault, goYamlError, leadingTab } from './yaml-errors.ts';
import { emitYaml } from './yaml-emit.ts';
import { falseWords, nullWords, trueWords, yamlFloat, yamlInteger } from './yaml-scalars.ts';

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

const intTag = defineScalarTag<number | bigint>('tag:yaml.org,2002:int', {
  implicit: true,
  resolve: (source) => yamlInteger(source) ?? NOT_RESOLVED,
  identify: (data) => typeof data === 'bigint' || Number.isInteger(data),
});

const floatTag = defineScalarTag<number>('tag:yaml.org,2002:float', {
  implicit: true,
  resolve: (source) => yamlFloat(source) ?? NOT_RESOLVED,
  identify: (data) => typeof data === 'number' && !Number.isInteger(data),
});

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
});

/** Scalars as go-yaml v2 resolves them (YAML 1.1's words for booleans included), plus merge keys. */
const schema = new Schema([strTag, nullTag, boolTag, intTag, floatTag, mergeTag, seqTag, mapTag]);

function wrap(error: unknown, source: string): Error {
  if (!(error instanceof YAMLException)) return error instanceof Error ? error : new Error(String(error));
  return new YamlError(goYamlError({ reason: error.reason, line: error.mark?.line }, source));
}

/**
 * Aliases make one value of many places: gives each place its own, within a limit, and refuses what JSON cannot hold. Keys
 * are sorted, since the reference reads YAML as the JSON text of a map: of several mistakes the first by name is told.
 */
class Unfolder {
  #left = maxValues;

  copy(value: JsonValue): JsonValue {
    if (--this.#left < 0) throw new YamlError('yaml: document contains excessive aliasing');
    if (typeof value === 'number' && !Number.isFinite(value)) throw new YamlError(`json: unsupported value: ${goInfinity(value)}`);
    if (Array.isArray(value)) return value.map((item) => this.copy(item));
    if (!isObject(value)) return value;
    const out: JsonObject = {};
    for (const key of Object.keys(value).sort(compareUtf8)) setKey(out, key, this.copy(value[key] as JsonValue));
    return out;
  }
}

function goInfinity(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

// oxlint-disable-next-line no-control-regex -- these are what is looked for
const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/**
 * The first document of a YAML text as a JSON value; an empty one is null.
 * @throws YamlError
 */
export function parseYaml(bytes: Uint8Array): ParsedYaml {
  const text = decodeUtf8(bytes);
  if (controlCharacters.test(text)) throw new YamlError('yaml: control characters are not allowed');
  const tab = leadingTab(text);
  if (tab !== undefined) throw new YamlError(goYamlError(tab, text));
  const fault = flowFault(text);
  if (fault !== undefined) throw new YamlError(fault);
  try {
    return parseText(text);
  } catch (error) {
    throw wrap(error, text);
  }
}

function parseText(text: string): ParsedYaml {
  const { source, events } = firstDocument(text);
  const endless = findSelfReference(source, events);
  if (endless !== undefined) throw new YamlError(`yaml: anchor '${endless}' value contains itself`);
  const [first] = constructFromEvents(events, { source, schema, json: true, maxAliases }) as JsonValue[];
  return { value: new Unfolder().copy(first ?? null), strictErrors: findDuplicateKeys(source, events) };
}

/** What stands behind a document in brackets is never looked at, as go-yaml reads one document only. */
function firstDocument(text: string): { source: string; events: ReturnType<typeof parseEvents> } {
  try {
    return { source: text, events: parseEvents(text, { maxDepth }) };
  } catch (error) {
    const end = error instanceof YAMLException ? endBefore(error, text) : undefined;
    if (end === undefined || !/^\s*[[{]/.test(text)) throw error;
    const source = text.slice(0, end);
    return { source, events: parseEvents(source, { maxDepth }) };
  }
}

/** Where a document in brackets ends that something else follows, be it a colon. */
function endBefore({ reason, mark }: YAMLException, text: string): number | undefined {
  if (mark === undefined) return undefined;
  if (reason === 'end of the stream or a document separator is expected') return mark.position;
  return reason.startsWith('a whitespace character is expected after the key-value separator') ? text.lastIndexOf(':', mark.position) : undefined;
}

/** YAML of a JSON value (what `Accept: application/yaml` answers). Ends with a line break. */
export function encodeYaml(value: JsonValue): Buffer {
  return Buffer.from(emitYaml(value), 'utf8');
}
