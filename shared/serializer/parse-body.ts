import { hasReason } from '#shared/apimachinery/errors/status.ts';
import { parseGroupVersion, type GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import { isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { isSliced, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { DecodeError } from './decode-errors.ts';
import { goValueName } from './json/decode-walk.ts';
import { findHugeNumber } from './json/huge-number.ts';
import { decodeUtf8, parseJsonText } from './json/parse.ts';
import { JsonDepthError, maxJsonDepth, scanJson } from './json/scan.ts';
import { yamlType, type MediaType } from './negotiate.ts';
import { typeTexts } from './type-text.ts';
import { parseYamlInSteps } from './yaml/parse-in-steps.ts';
import type { ParsedYaml } from './yaml/parse.ts';

/** A text body before its type is known. */
interface Parsed {
  readonly value: JsonValue;
  /** The JSON text, if it has duplicate keys; otherwise undefined. */
  readonly duplicatesIn: string | undefined;
  /** The JSON text, if it has numbers with a point or an exponent; otherwise undefined. */
  readonly spelledIn: string | undefined;
  /** The first number beyond float64 in a JSON text. */
  readonly hugeNumber: string | undefined;
  /** Errors of the YAML reader. */
  readonly strictErrors: readonly string[];
}

const typeMetaStruct =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

const parsePrefix = "couldn't get version/kind; json parse error: ";

export function* parseText(mediaType: MediaType, body: Uint8Array, strict: boolean): Steps<Parsed> {
  if (mediaType === yamlType) {
    const { value, strictErrors } = yield* attemptSteps('', parseAsJson(body));
    return {
      value,
      duplicatesIn: undefined,
      spelledIn: undefined,
      hugeNumber: undefined,
      strictErrors: strict ? strictErrors : [],
    };
  }
  const { strictErrors, largeIntegers, spelledNumbers } = yield* attemptSteps(
    parsePrefix,
    scanJson(body, { maxDepth: maxJsonDepth }),
  );
  if (isSliced()) yield;
  const text = decodeUtf8(body);
  if (isSliced()) yield;
  const value = yield* attemptSteps(parsePrefix, parseJsonText(text, body, largeIntegers));
  if (isSliced()) yield;
  return {
    value,
    duplicatesIn: strictErrors.length > 0 ? text : undefined,
    spelledIn: spelledNumbers ? text : undefined,
    hugeNumber: findHugeNumber(text),
    strictErrors: [],
  };
}

/**
 * Parses YAML. The reference converts YAML to JSON and parses that, so a JSON depth error has the JSON parser's prefix.
 */
function* parseAsJson(body: Uint8Array): Steps<ParsedYaml> {
  try {
    return yield* parseYamlInSteps(body);
  } catch (error) {
    throw error instanceof JsonDepthError ? decodeError(parsePrefix, error, undefined) : error;
  }
}

/** Runs a step whose errors are the client's; `prefix` is prepended to their text. */
export function attempt<T>(prefix: string, step: () => T, gvk?: GroupVersionKind): T {
  try {
    return step();
  } catch (error) {
    throw decodeError(prefix, error, gvk);
  }
}

export function* attemptSteps<T>(prefix: string, steps: Steps<T>, gvk?: GroupVersionKind): Steps<T> {
  try {
    return yield* steps;
  } catch (error) {
    throw decodeError(prefix, error, gvk);
  }
}

function decodeError(prefix: string, error: unknown, gvk: GroupVersionKind | undefined): unknown {
  // A RangeError means that our own recursion overflowed on input that is nested too deep.
  if (error instanceof RangeError) return new DecodeError(`${prefix}exceeded max depth`, gvk);
  // Too many bodies wait for the thread that parses large YAML: that is not an error of this body.
  if (hasReason(error, 'TooManyRequests')) return error;
  if (error instanceof TypeError || error instanceof ReferenceError || !(error instanceof Error)) return error;
  return new DecodeError(prefix + error.message, gvk);
}

/** The group, version and kind that a raw body names. */
export function interpret(value: JsonValue): GroupVersionKind {
  if (value === null) return { group: '', version: '', kind: '' };
  const { apiVersion, kind } = typeNames(value);
  return { ...attempt('', () => parseGroupVersion(apiVersion)), kind };
}

export function typeNames(value: JsonValue): { apiVersion: string; kind: string } {
  return attempt(parsePrefix, () => {
    if (!isObject(value))
      throw new Error(`json: cannot unmarshal ${goValueName(value)} into Go value of type ${typeMetaStruct}`);
    return typeTexts(value);
  });
}
