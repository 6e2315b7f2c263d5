import {
  formatGroupVersion,
  parseGroupVersion,
  type GroupVersion,
  type GroupVersionKind,
} from '../apimachinery/gvk.ts';
import { getKey, isObject, type JsonObject, type JsonValue } from '../apimachinery/json.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { StructSchema } from '../apimachinery/schema.ts';
import { atOnce, type Steps } from '../apimachinery/slices.ts';
import { hasReason, newBadRequest, newUnsupportedMediaType } from '../apimachinery/status.ts';
import { diagnose } from './cbor/diagnose.ts';
import { parseCbor } from './cbor/decode-value.ts';
import { decodeCbor } from './cbor/decode-typed.ts';
import { readTypeMeta } from './cbor/type-meta.ts';
import { checkWellFormed } from './cbor/well-formed.ts';
import { bodyError, DecodeError, notRegisteredText } from './decode-errors.ts';
import { conform, type Conformed, type ConformOptions } from './json/conform.ts';
import { holdsRawJson } from '../apimachinery/raw-json.ts';
import { keepExactRaw } from './json/exact-raw.ts';
import { conformInSteps } from './json/conform-in-steps.ts';
import { findHugeNumber, hugeNumberText } from './json/huge-number.ts';
import { goValueName } from './json/decode-walk.ts';
import { looseText } from './json/loose.ts';
import { decodeUtf8, parseJsonText, parseJsonTextInSteps } from './json/parse.ts';
import { JsonDepthError, maxJsonDepth, scanJsonInSteps } from './json/scan.ts';
import { mayHoldWholeFloats, parseSpelled, parseSpelledInSteps, plainNumbersInSteps } from './json/spelled-numbers.ts';
import { parseStrict } from './json/strict.ts';
import { builtinMediaTypes, cborType, negotiateInput, protobufType, yamlType, type MediaType } from './negotiate.ts';
import { isOldVersion } from './old-versions.ts';
import { decodeProtobufInSteps } from './protobuf/decode.ts';
import { envelopeKind, unwrapUnknown } from './protobuf/envelope.ts';
import type { SchemaLookup } from './schema-lookup.ts';
import { typeText } from './type-text.ts';
import type { ParsedYaml } from './yaml/parse.ts';
import { parseYamlInSteps } from './yaml/parse-in-steps.ts';

export { decodeStored, decodeStoredInSteps, encodeStored, encodeStoredInSteps, storesProtobuf } from './stored.ts';

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

export interface DecodeBodyOptions {
  /** What the body is when it does not say so itself: the kind of the resource, group and version of the URL. */
  readonly defaultGvk: GroupVersionKind;
  /** `Strict` refuses unknown and duplicate fields, `Warn` gives them as `strictErrors`, `Ignore` does not look. */
  readonly fieldValidation: FieldValidation;
  /**
   * Error texts without the frame of create and update (`X in version … cannot be handled as a Y`), as DELETE has them.
   */
  readonly plainErrors?: boolean;
  /** Told of every body that cannot be decoded, whatever is wrong with it. */
  readonly errorText?: string;
  /** The schema of a custom resource: every body is read by it. */
  readonly custom?: StructSchema | undefined;
  /** What the endpoint reads; JSON, YAML and protobuf unless told. */
  readonly mediaTypes?: readonly MediaType[];
}

export interface DecodedBody {
  /** Conformed to its schema, with apiVersion and kind. */
  readonly object: KubeObject;
  /** The body's own, filled up from the default. The caller compares it with what it expects. */
  readonly gvk: GroupVersionKind;
  readonly schema: StructSchema;
  /** `unknown field "spec.foo"`, `duplicate field "a.b"`: one warning each. */
  readonly strictErrors: readonly string[];
}

/** A text body before its type is known. */
interface Parsed {
  readonly value: JsonValue;
  /** JSON text in which keys stand twice; undefined where none do. */
  readonly duplicatesIn: string | undefined;
  /** JSON text that holds numbers with a point or an exponent; undefined where none does. */
  readonly spelledIn: string | undefined;
  /** A number beyond float64 in JSON text. */
  readonly hugeNumber: string | undefined;
  /** Errors of the YAML reader. */
  readonly strictErrors: readonly string[];
}

const typeMetaStruct =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

const parsePrefix = "couldn't get version/kind; json parse error: ";

function* parseText(mediaType: MediaType, body: Uint8Array, strict: boolean): Steps<Parsed> {
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
  const { duplicates, largeIntegers, spelledNumbers } = yield* attemptSteps(
    parsePrefix,
    scanJsonInSteps(body, { maxDepth: maxJsonDepth }),
  );
  yield;
  const text = decodeUtf8(body);
  const value = yield* attemptSteps(parsePrefix, parseJsonTextInSteps(text, body, largeIntegers));
  yield;
  return {
    value,
    duplicatesIn: duplicates.length > 0 ? text : undefined,
    spelledIn: spelledNumbers ? text : undefined,
    hugeNumber: findHugeNumber(text),
    strictErrors: [],
  };
}

/** The reference reads the JSON that a YAML text stands for. */
function* parseAsJson(body: Uint8Array): Steps<ParsedYaml> {
  try {
    return yield* parseYamlInSteps(body);
  } catch (error) {
    throw error instanceof JsonDepthError ? decodeError(parsePrefix, error, undefined) : error;
  }
}

/** Runs a step whose errors the client made; `prefix` stands before their text. */
function attempt<T>(prefix: string, step: () => T, gvk?: GroupVersionKind): T {
  try {
    return step();
  } catch (error) {
    throw decodeError(prefix, error, gvk);
  }
}

function* attemptSteps<T>(prefix: string, steps: Steps<T>, gvk?: GroupVersionKind): Steps<T> {
  try {
    return yield* steps;
  } catch (error) {
    throw decodeError(prefix, error, gvk);
  }
}

function decodeError(prefix: string, error: unknown, gvk: GroupVersionKind | undefined): unknown {
  // Only our own recursion can overflow, over input that nests too deep.
  if (error instanceof RangeError) return new DecodeError(`${prefix}exceeded max depth`, gvk);
  // Too many wait for the thread that reads large YAML: not what the client sent is at fault.
  if (hasReason(error, 'TooManyRequests')) return error;
  if (error instanceof TypeError || error instanceof ReferenceError || !(error instanceof Error)) return error;
  return new DecodeError(prefix + error.message, gvk);
}

/** Group, version and kind that a raw body names. */
function interpret(value: JsonValue): GroupVersionKind {
  if (value === null) return { group: '', version: '', kind: '' };
  const { apiVersion, kind } = typeNames(value);
  return { ...attempt('', () => parseGroupVersion(apiVersion)), kind };
}

function typeNames(value: JsonValue): { apiVersion: string; kind: string } {
  return attempt(parsePrefix, () => {
    if (!isObject(value))
      throw new Error(`json: cannot unmarshal ${goValueName(value)} into Go value of type ${typeMetaStruct}`);
    return { apiVersion: typeText(value, 'apiVersion'), kind: typeText(value, 'kind') };
  });
}

function withDefaults(gvk: GroupVersionKind, fallback: GroupVersionKind): GroupVersionKind {
  const kind = gvk.kind === '' ? fallback.kind : gvk.kind;
  const isBare = gvk.version === '' && (gvk.group === '' || gvk.group === fallback.group);
  return isBare ? { group: fallback.group, version: fallback.version, kind } : { ...gvk, kind };
}

/** A kind in a version of old is read by its present schema, for the caller to say that the version is another. */
function schemaOf(facts: SchemaLookup, gvk: GroupVersionKind, fallback: GroupVersionKind): StructSchema {
  const known = gvk.kind === fallback.kind && isOldVersion(formatGroupVersion(gvk), gvk.kind) ? fallback : gvk;
  const schema = facts.schema(known.group, known.version, known.kind);
  if (schema === undefined) throw new DecodeError(notRegisteredText(gvk), gvk);
  return schema;
}

function* decodeText(
  facts: SchemaLookup,
  mediaType: MediaType,
  body: Uint8Array,
  options: DecodeBodyOptions,
): Steps<DecodedBody> {
  const strict = options.fieldValidation !== 'Ignore';
  const parsed = yield* parseText(mediaType, body, strict);
  const named = interpret(parsed.value);
  const supposed = withDefaults(named, options.defaultGvk);
  const shown = (): string => (strict || mediaType !== yamlType ? decodeUtf8(body) : looseText(parsed.value));
  const gvk =
    options.custom === undefined
      ? supposed
      : requireKind(exactly(named, parsed.value), strict ? undefined : supposed, shown);
  if (options.custom !== undefined && isObject(parsed.value) && parsed.value['apiVersion'] === null) {
    throw new DecodeError('.apiVersion accessor error: <nil> is of the type <nil>, expected string', gvk);
  }
  const schema = options.custom ?? schemaOf(facts, gvk, options.defaultGvk);
  // The fast way drops what duplicates hid; where there are some, a slow one reads and reports as Go does.
  const { duplicatesIn, hugeNumber } = parsed;
  if (hugeNumber !== undefined && options.custom !== undefined) throw new DecodeError(hugeNumberText(hugeNumber), gvk);
  const isCustom = options.custom !== undefined;
  const spelledIn =
    parsed.spelledIn !== undefined && (!isCustom || mayHoldWholeFloats(parsed.spelledIn))
      ? parsed.spelledIn
      : undefined;
  const spelled = spelledIn !== undefined;
  const exact =
    duplicatesIn === undefined
      ? undefined
      : yield* attemptSteps('', parseStrict(schema, duplicatesIn, spelled ? parseSpelled : parseJsonText), gvk);
  for (const other of exact?.overwritten ?? []) typeNames(other);
  const read = exact?.value ?? (spelled ? yield* parseSpelledInSteps(spelledIn) : parsed.value);
  const value = spelled && isCustom ? yield* plainNumbersInSteps(read) : read;
  const { object, strictErrors } = yield* attemptSteps(
    '',
    conformAll(schema, value, exact?.overwritten ?? [], { strict, spelled: spelled && !isCustom }),
    gvk,
  );
  if (mediaType !== yamlType && options.custom === undefined && holdsRawJson(schema))
    yield* keepExactRaw(schema, object, decodeUtf8(body));
  // The reader of a type tells unknown fields with the duplicates; a custom shape tells them itself.
  const found =
    exact === undefined
      ? strictErrors
      : options.custom === undefined
        ? exact.strictErrors
        : [...exact.strictErrors, ...strictErrors];
  return { object, gvk, schema, strictErrors: strict ? [...parsed.strictErrors, ...found] : [] };
}

/** What others took the place of is looked at first, and given up. */
function* conformAll(
  schema: StructSchema,
  value: JsonValue,
  overwritten: readonly JsonValue[],
  options: ConformOptions,
): Steps<Conformed> {
  if (schema.custom === undefined)
    for (const other of overwritten) yield* conformInSteps(schema, other, { ...options, strict: false });
  return yield* conformInSteps(schema, value, options);
}

/** A custom resource is a map to the reference, which has no names in other letters. */
function exactly(gvk: GroupVersionKind, value: JsonValue): GroupVersionKind {
  if (!isObject(value)) return gvk;
  const said = Object.hasOwn(value, 'apiVersion') ? gvk : { group: '', version: '' };
  return { group: said.group, version: said.version, kind: Object.hasOwn(value, 'kind') ? gvk.kind : '' };
}

/**
 * Custom resources must say their kind; what it is, and the version, is the caller's to judge. Where they do not, a
 * reader that is not strict tells what it supposed, and has YAML as JSON by then
 * (apimachinery/pkg/runtime/serializer/json).
 */
function requireKind(
  gvk: GroupVersionKind,
  supposed: GroupVersionKind | undefined,
  shown: () => string,
): GroupVersionKind {
  if (gvk.kind === '') throw new DecodeError(`Object 'Kind' is missing in '${shown()}'`, supposed);
  return gvk;
}

function* decodeWire(facts: SchemaLookup, body: Uint8Array, options: DecodeBodyOptions): Steps<DecodedBody> {
  const envelope = attempt('', () => unwrapUnknown(body));
  const own = attempt('', () => envelopeKind(envelope));
  const { defaultGvk } = options;
  const gvk = { ...(own.version === '' ? defaultGvk : own), kind: own.kind === '' ? defaultGvk.kind : own.kind };
  const schema = schemaOf(facts, gvk, defaultGvk);
  const object = (yield* attemptSteps('', decodeProtobufInSteps(schema, envelope.raw), gvk)) as KubeObject;
  return { object, gvk, schema, strictErrors: [] };
}

/** Group, version and kind that CBOR names; an apiVersion that is none counts as absent. */
function interpretCbor(bytes: Buffer): GroupVersionKind {
  return attempt('unable to determine group/version/kind: ', () => {
    checkWellFormed(bytes);
    const { apiVersion, kind } = readTypeMeta(bytes);
    return { ...groupVersionOf(apiVersion), kind };
  });
}

function groupVersionOf(apiVersion: string): GroupVersion {
  return apiVersion.split('/').length > 2 ? { group: '', version: '' } : parseGroupVersion(apiVersion);
}

function decodeBinary(facts: SchemaLookup, body: Uint8Array, options: DecodeBodyOptions): DecodedBody {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (options.custom !== undefined) return decodeCustomCbor(bytes, options.custom);
  const gvk = withDefaults(interpretCbor(bytes), options.defaultGvk);
  const schema = schemaOf(facts, gvk, options.defaultGvk);
  const { object, unknownField } = attempt('', () => decodeCbor(schema, bytes), gvk);
  const strictErrors = unknownField === undefined || options.fieldValidation === 'Ignore' ? [] : [unknownField];
  return { object: object as KubeObject, gvk, schema, strictErrors };
}

/**
 * A custom resource is read as it is; what else its bytes say to be matters only where that fails. Unknown fields go
 * without a word: the reference tells of them in JSON and YAML alone (apiextensions-apiserver, DecoderToVersion).
 */
function decodeCustomCbor(bytes: Buffer, schema: StructSchema): DecodedBody {
  const object = readCustomCbor(bytes);
  const named = (name: string): string => {
    const value = getKey(object, name);
    return typeof value === 'string' ? value : '';
  };
  const groupVersion = groupVersionOf(named('apiVersion'));
  const gvk = { ...groupVersion, kind: groupVersion.version === '' && named('apiVersion') !== '' ? '' : named('kind') };
  for (const [name, found] of [
    ['Kind', gvk.kind],
    ['apiVersion', gvk.version],
  ] as const) {
    if (found === '') throw new DecodeError(`Object '${name}' is missing in '${diagnose(bytes)}'`, gvk);
  }
  const conformed = attempt('', () => conform(schema, object, { strict: false }), gvk);
  return { object: conformed.object, gvk, schema, strictErrors: [] };
}

function readCustomCbor(bytes: Buffer): JsonObject {
  let value: JsonValue = null;
  let failure: unknown;
  try {
    value = parseCbor(bytes);
  } catch (error) {
    failure = error;
  }
  if (isObject(value) || (value === null && failure === undefined)) return value ?? {};
  const gvk = interpretCbor(bytes);
  return attempt(
    '',
    () => {
      throw failure;
    },
    gvk,
  );
}

function* decodeAs(
  mediaType: MediaType,
  facts: SchemaLookup,
  body: Uint8Array,
  options: DecodeBodyOptions,
): Steps<DecodedBody> {
  switch (mediaType) {
    case protobufType:
      return yield* decodeWire(facts, body, options);
    case cborType:
      return decodeBinary(facts, body, options);
    default:
      return yield* decodeText(facts, mediaType, body, options);
  }
}

function refuseStrict({ gvk, strictErrors }: DecodedBody, fieldValidation: FieldValidation): void {
  if (fieldValidation === 'Strict' && strictErrors.length > 0) {
    throw new DecodeError(`strict decoding error: ${strictErrors.join(', ')}`, gvk);
  }
}

/**
 * Decodes the body of a request in any form. Kinds that differ from the default are the caller's to judge.
 * @throws StatusError 415 for another form, 400 in the reference's words for a body that cannot be decoded
 */
export function decodeBody(
  facts: SchemaLookup,
  contentType: string | undefined,
  body: Uint8Array,
  options: DecodeBodyOptions,
): DecodedBody {
  return atOnce(decodeBodyInSteps(facts, contentType, body, options));
}

/** As {@link decodeBody}, for large bodies. */
export function* decodeBodyInSteps(
  facts: SchemaLookup,
  contentType: string | undefined,
  body: Uint8Array,
  options: DecodeBodyOptions,
): Steps<DecodedBody> {
  const mediaType = negotiateInput(contentType, options.mediaTypes);
  // Named among what is read, since lists and options can be protobuf; a custom resource cannot.
  if (mediaType === protobufType && options.custom !== undefined)
    throw newUnsupportedMediaType(options.mediaTypes ?? builtinMediaTypes);
  try {
    const decoded = yield* decodeAs(mediaType, facts, body, options);
    // Another kind is refused by the caller, before anything that is unknown in it.
    if (decoded.gvk.kind === options.defaultGvk.kind || options.custom !== undefined)
      refuseStrict(decoded, options.fieldValidation);
    // Go's ObjectMeta is a struct by value, hence always there.
    if (decoded.schema.custom !== undefined || decoded.schema.byName.has('metadata')) decoded.object.metadata ??= {};
    decoded.object.kind = decoded.gvk.kind;
    decoded.object.apiVersion = formatGroupVersion(decoded.gvk);
    return decoded;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    if (options.errorText !== undefined) throw newBadRequest(options.errorText);
    throw options.plainErrors === true ? newBadRequest(error.message) : bodyError(error, options.defaultGvk.kind, body);
  }
}
