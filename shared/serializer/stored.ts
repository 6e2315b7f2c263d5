import { formatGroupVersion, parseGroupVersion, type GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import { getKey, isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { conform } from './json/conform.ts';
import { jsonTextInSteps } from './json/encode-in-steps.ts';
import { looseTextInSteps } from './json/loose-in-steps.ts';
import { parseJson } from './json/parse.ts';
import { decodeProtobufInSteps } from './protobuf/decode.ts';
import { encodeProtobufInSteps } from './protobuf/encode-in-steps.ts';
import { envelopeKind, isProtobuf, unwrapUnknown, wrapUnknown } from './protobuf/envelope.ts';
import type { SchemaLookup } from './schema-lookup.ts';
import { yamlPieces } from './yaml/emit.ts';
import { parseYaml } from './yaml/parse.ts';

const openBrace = 0x7b;

/** Groups of typed objects that the reference stores as JSON. */
const jsonGroups: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

/** Values of `--storage-media-type`; none is JSON. Stored objects of all three can be read, whichever is written. */
export const storageMediaTypes = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
const protobufMediaType = 'application/vnd.kubernetes.protobuf';

/** Whether objects of a group are written as protobuf. `mediaType` is the value of `--storage-media-type`. */
export function storesProtobuf(group: string, mediaType: string = protobufMediaType): boolean {
  return mediaType === protobufMediaType && !jsonGroups.has(group);
}

/**
 * Removes fields that are not stored: `resourceVersion` comes from the key's revision, and `selfLink` no longer exists.
 */
function withoutServerFields(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isObject(metadata) || (metadata['resourceVersion'] === undefined && metadata['selfLink'] === undefined))
    return object;
  const { resourceVersion: _resourceVersion, selfLink: _selfLink, ...rest } = metadata;
  return { ...object, metadata: rest };
}

/**
 * Bytes as the reference stores them: `k8s\0` protobuf (or another `mediaType` of `--storage-media-type`) for built-in
 * types, JSON with a line break for CRDs, APIServices and (without a schema) custom resources; apiVersion and kind are
 * those of `gvk`. The object is not modified.
 */
export function* encodeStored(
  schema: StructSchema | undefined,
  gvk: GroupVersionKind,
  object: JsonObject,
  mediaType: string = protobufMediaType,
): Steps<Buffer> {
  const stored = withoutServerFields(object);
  if (schema !== undefined && storesProtobuf(gvk.group, mediaType))
    return wrapUnknown(gvk, yield* encodeProtobufInSteps(schema, stored));
  const typed = withType(gvk, stored);
  if (schema !== undefined && mediaType === 'application/yaml' && !jsonGroups.has(gvk.group))
    return yield* yamlInSteps(typed);
  return Buffer.from(
    `${yield* schema === undefined ? looseTextInSteps(typed) : jsonTextInSteps(schema, typed)}\n`,
    'utf8',
  );
}

function* yamlInSteps(object: JsonObject): Steps<Buffer> {
  const pieces: Uint8Array[] = [];
  for (const piece of yamlPieces(object)) {
    pieces.push(piece);
    yield;
  }
  return Buffer.concat(pieces);
}

function withType(gvk: GroupVersionKind, object: JsonObject): JsonObject {
  return { ...object, apiVersion: formatGroupVersion(gvk), kind: gvk.kind };
}

export interface Stored {
  readonly object: KubeObject;
  readonly gvk: GroupVersionKind;
}

function textAt(object: JsonObject, key: string): string {
  const value = getKey(object, key);
  return typeof value === 'string' ? value : '';
}

/**
 * Decodes stored bytes (protobuf, JSON or YAML) to an object with apiVersion and kind. JSON of kinds without facts
 * (custom resources) is not conformed.
 * @throws Error for bytes in another format, or protobuf of an unknown kind
 */
export function* decodeStored(facts: SchemaLookup, bytes: Uint8Array): Steps<Stored> {
  if (!isProtobuf(bytes)) return yield* decodeStoredJson(facts, bytes);
  const envelope = unwrapUnknown(bytes);
  const gvk = envelopeKind(envelope);
  const schema = facts.schema(gvk.group, gvk.version, gvk.kind);
  if (schema === undefined) throw new Error(`stored object of unknown kind ${envelope.apiVersion} ${envelope.kind}`);
  const object = (yield* decodeProtobufInSteps(schema, envelope.raw)) as KubeObject;
  object.kind = envelope.kind;
  object.apiVersion = envelope.apiVersion;
  return { object, gvk };
}

function* decodeStoredJson(facts: SchemaLookup, bytes: Uint8Array): Steps<Stored> {
  const value = bytes[0] === openBrace ? yield* parseJson(bytes) : parseYaml(bytes).value;
  if (!isObject(value)) throw new Error('what is stored is no object');
  const gvk = { ...parseGroupVersion(textAt(value, 'apiVersion')), kind: textAt(value, 'kind') };
  const schema = facts.schema(gvk.group, gvk.version, gvk.kind);
  const object =
    schema === undefined ? (value as KubeObject) : (yield* conform(schema, value, { strict: false })).object;
  return { object, gvk };
}
