import type { GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import { isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { atOnce, paced } from '#shared/apimachinery/slices/slices.ts';
import { isStoredForm, toServed, type RequestScope } from '#shared/endpoints/request/request-scope.ts';
import { parseEntry } from '#shared/registry/create-resource-caches.ts';
import { entryFormOf } from '#shared/registry/entry-forms.ts';
import { writtenMessage } from '#shared/registry/written-messages.ts';
import { cborOfJson } from '#shared/serializer/cbor/encode.ts';
import { jsonTextInSteps } from '#shared/serializer/json/encode-in-steps.ts';
import { encodeJson } from '#shared/serializer/json/encode.ts';
import { takeExactRaw } from '#shared/serializer/json/exact-raw.ts';
import type { MediaType } from '#shared/serializer/negotiate.ts';
import { decodeProtobuf } from '#shared/serializer/protobuf/decode.ts';
import { encodeProtobuf } from '#shared/serializer/protobuf/encode.ts';
import { unwrapUnknown, wrapUnknown } from '#shared/serializer/protobuf/envelope.ts';
import { protobufOfJson } from '#shared/serializer/protobuf/from-json.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import type { Pieces } from './list-body.ts';
import { textBody, textPieces } from './text-pieces.ts';

/** The object of an entry in the version of the scope. The caller may modify it. */
export function servedObject(scope: RequestScope, entry: CacheEntry): KubeObject {
  const parent = atOnce(parseEntry(entry));
  const view = scope.subresource?.view;
  if (view === undefined) return toServed(scope, parent);
  const { conversion } = scope.rest;
  return toServed(scope, view.read(conversion === undefined ? parent : conversion.fromStorage(parent)));
}

/** JSON in the version of the scope, without a line break. */
export function jsonOf(scope: RequestScope, entry: CacheEntry): Buffer {
  if (scope.servesStoredJson) return entry.json;
  return entryFormOf(entry, `json ${scope.formId}`, () => encodeJson(scope.schema, servedObject(scope, entry)));
}

/** Protobuf without an envelope, as in list items. */
export function protobufOf(scope: RequestScope, entry: CacheEntry): Buffer {
  return entryFormOf(entry, `protobuf ${scope.formId}`, () => {
    if (!isStoredForm(scope)) return encodeProtobuf(scope.schema, servedObject(scope, entry));
    return entry.unprinted === undefined
      ? (writtenMessage(entry) ?? protobufOfJson(scope.schema, entry.json))
      : withStoredTexts(scope.schema, servedObject(scope, entry), entry.unprinted);
  });
}

/** Restores the stored text of raw JSON (RawExtension), which the cached JSON prints in another spelling. */
function withStoredTexts(schema: StructSchema, object: KubeObject, stored: Buffer): Buffer {
  takeExactRaw(schema, object, decodeProtobuf(schema, unwrapUnknown(stored).raw));
  return encodeProtobuf(schema, object);
}

/** The complete response for one stored object in JSON, protobuf or CBOR. */
export function entryBytes(scope: RequestScope, entry: CacheEntry, mediaType: MediaType): Buffer {
  switch (mediaType) {
    case 'application/vnd.kubernetes.protobuf':
      return wrapUnknown(scope.kind, protobufOf(scope, entry));
    case 'application/cbor':
      return entryFormOf(entry, `cbor ${scope.formId}`, () => cborOfJson(scope.schema, jsonOf(scope, entry)));
    default:
      return jsonOf(scope, entry);
  }
}

/** The complete response for an object that is not stored, in JSON, protobuf or CBOR. */
export function objectBytes(
  schema: StructSchema,
  kind: GroupVersionKind,
  object: JsonObject,
  mediaType: MediaType,
): Buffer {
  switch (mediaType) {
    case 'application/vnd.kubernetes.protobuf':
      return wrapUnknown(kind, encodeProtobuf(schema, object));
    case 'application/cbor':
      return cborOfJson(schema, encodeJson(schema, object));
    default:
      return encodeJson(schema, object);
  }
}

/** The whole body of a response that is one stored object. */
export function objectPieces(scope: RequestScope, entry: CacheEntry, mediaType: MediaType, pretty: boolean): Pieces {
  const bytes = entryBytes(scope, entry, mediaType);
  return isText(mediaType) ? textPieces(bytes, mediaType, pretty) : [bytes];
}

/** The whole body of a response that is one object that is not stored. */
export function encodeObject(
  schema: StructSchema,
  kind: GroupVersionKind,
  object: JsonObject,
  mediaType: MediaType,
  pretty: boolean,
): Buffer[] {
  const bytes = objectBytes(schema, kind, object, mediaType);
  return isText(mediaType) ? textBody(bytes, mediaType, pretty) : [bytes];
}

/** The body of {@link encodeObject} in pieces, made as they are read; in steps where the object has long lists. */
export function encodedPieces(
  schema: StructSchema,
  kind: GroupVersionKind,
  object: JsonObject,
  mediaType: MediaType,
  pretty: boolean,
): Pieces {
  if (isText(mediaType) && hasLongList(object)) return steppedPieces(schema, object, mediaType, pretty);
  const bytes = objectBytes(schema, kind, object, mediaType);
  return isText(mediaType) ? textPieces(bytes, mediaType, pretty) : [bytes];
}

const longList = 200;
const pause = new Uint8Array(0);
const pauseMs = 1;

/** Whether an object has a long list at the top or one level below: objects that are not stored have no list deeper. */
function hasLongList(object: JsonObject): boolean {
  for (const value of Object.values(object)) {
    if (
      Array.isArray(value)
        ? value.length > longList
        : isObject(value) && Object.values(value).some((inner) => Array.isArray(inner) && inner.length > longList)
    )
      return true;
  }
  return false;
}

function* steppedPieces(
  schema: StructSchema,
  object: JsonObject,
  mediaType: MediaType,
  pretty: boolean,
): Generator<Uint8Array, void> {
  const text = yield* paced(jsonTextInSteps(schema, object), pauseMs, pause);
  yield* textPieces(Buffer.from(text, 'utf8'), mediaType, pretty);
}

/** Whether a media type is made from the JSON text itself. */
function isText(mediaType: MediaType): boolean {
  return mediaType === 'application/json' || mediaType === 'application/yaml';
}
