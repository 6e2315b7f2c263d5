import { newBadRequest, newUnsupportedMediaType } from '#shared/apimachinery/errors/status.ts';
import { formatGroupVersion, type GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import { isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { holdsRawJson } from '#shared/apimachinery/schema/raw-json.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { atOnce, isSliced, type Steps } from '#shared/apimachinery/slices/slices.ts';
import {
  type DecodeBodyOptions,
  type DecodedBody,
  type FieldValidation,
  decodeBinary,
  schemaOf,
  withDefaults,
} from './decode-binary.ts';
import { bodyError, DecodeError } from './decode-errors.ts';
import { conform } from './json/conform.ts';
import type { Conformed } from './json/conform.ts';
import type { ConformOptions } from './json/decode-walk.ts';
import { keepExactRaw } from './json/exact-raw.ts';
import { hugeNumberText } from './json/huge-number.ts';
import { looseText } from './json/loose.ts';
import { decodeUtf8, parseJsonText } from './json/parse.ts';
import { mayHoldWholeFloats, parseSpelled, plainNumbersOfCustom } from './json/spelled-numbers.ts';
import { parseStrict } from './json/strict.ts';
import { builtinMediaTypes, cborType, negotiateInput, protobufType, yamlType, type MediaType } from './negotiate.ts';
import { attempt, attemptSteps, interpret, parseText, typeNames } from './parse-body.ts';
import { decodeProtobufInSteps } from './protobuf/decode.ts';
import { envelopeKind, unwrapUnknown } from './protobuf/envelope.ts';
import type { SchemaLookup } from './schema-lookup.ts';

export { decodeStored, encodeStored, storesProtobuf } from './stored.ts';

/**
 * Decodes JSON or YAML. Errors of strict decoding are returned, not thrown.
 * @throws DecodeError
 */
export function* decodeText(
  facts: SchemaLookup,
  mediaType: MediaType,
  body: Uint8Array,
  options: DecodeBodyOptions,
): Steps<DecodedBody> {
  const strict = options.fieldValidation !== 'Ignore';
  const parsed = yield* parseText(mediaType, body, strict);
  const named = interpret(parsed.value);
  if (isSliced()) yield;
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
  // The fast parser keeps only the last of duplicate keys; a text with duplicates is read by a slower parser, which
  // merges and reports them as Go does.
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
      : yield* attemptSteps(
          '',
          parseStrict(schema, duplicatesIn, (text) => atOnce(spelled ? parseSpelled(text) : parseJsonText(text))),
          gvk,
        );
  for (const other of exact?.overwritten ?? []) typeNames(other);
  const read = exact?.value ?? (spelled ? yield* parseSpelled(spelledIn) : parsed.value);
  const value = spelled && isCustom ? yield* plainNumbersOfCustom(read) : read;
  const { object, strictErrors } = yield* attemptSteps(
    '',
    conformAll(schema, value, exact?.overwritten ?? [], { strict, spelled: spelled && !isCustom }),
    gvk,
  );
  if (mediaType !== yamlType && options.custom === undefined && holdsRawJson(schema))
    yield* keepExactRaw(schema, object, decodeUtf8(body));
  // Decoding by a schema reports unknown fields together with duplicates; a custom decoder reports its own.
  const found =
    exact === undefined
      ? strictErrors
      : options.custom === undefined
        ? exact.strictErrors
        : [...exact.strictErrors, ...strictErrors];
  return { object, gvk, schema, strictErrors: strict ? [...parsed.strictErrors, ...found] : [] };
}

/** Conforms a value. The values that later duplicates have replaced are conformed first, only for their errors. */
function* conformAll(
  schema: StructSchema,
  value: JsonValue,
  overwritten: readonly JsonValue[],
  options: ConformOptions,
): Steps<Conformed> {
  if (schema.custom === undefined)
    for (const other of overwritten) yield* conform(schema, other, { ...options, strict: false });
  return yield* conform(schema, value, options);
}

/**
 * The reference reads a custom resource into a map, so that `apiversion` or `KIND` are not the same keys as
 * `apiVersion` and `kind`.
 */
function exactly(gvk: GroupVersionKind, value: JsonValue): GroupVersionKind {
  if (!isObject(value)) return gvk;
  const said = Object.hasOwn(value, 'apiVersion') ? gvk : { group: '', version: '' };
  return { group: said.group, version: said.version, kind: Object.hasOwn(value, 'kind') ? gvk.kind : '' };
}

/**
 * The body of a custom resource must name its kind; the caller checks whether kind and version are the right ones. If
 * the kind is missing, the error carries the default kind and shows the body, which a lenient reader has converted from
 * YAML to JSON by then (apimachinery/pkg/runtime/serializer/json).
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
 * The media type of a request's body, which its head tells. The endpoint's media types include protobuf, for lists and
 * options; a custom resource cannot be protobuf.
 * @throws StatusError 415 for another media type
 */
export function bodyMediaType(
  contentType: string | undefined,
  { mediaTypes = builtinMediaTypes, custom }: Pick<DecodeBodyOptions, 'mediaTypes' | 'custom'>,
): MediaType {
  const mediaType = negotiateInput(contentType, mediaTypes);
  if (mediaType === protobufType && custom !== undefined) throw newUnsupportedMediaType(mediaTypes);
  return mediaType;
}

/**
 * Decodes the body of a request in any form. The caller checks a kind that differs from the default.
 * @throws StatusError 415 for another media type, 400 in the reference's words for a body that cannot be decoded
 */
export function* decodeBody(
  facts: SchemaLookup,
  contentType: string | undefined,
  body: Uint8Array,
  options: DecodeBodyOptions,
): Steps<DecodedBody> {
  const mediaType = bodyMediaType(contentType, options);
  try {
    const decoded = yield* decodeAs(mediaType, facts, body, options);
    // The caller refuses a body of another kind; that error takes precedence over unknown fields.
    if (decoded.gvk.kind === options.defaultGvk.kind || options.custom !== undefined)
      refuseStrict(decoded, options.fieldValidation);
    // Go's ObjectMeta is a struct by value, hence always present.
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
