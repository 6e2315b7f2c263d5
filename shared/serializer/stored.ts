import type { SchemaLookup } from './schema-lookup.ts';
import { formatGroupVersion, parseGroupVersion, type GroupVersionKind } from '../apimachinery/gvk.ts';
import { getKey, isObject, type JsonObject } from '../apimachinery/json.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { StructSchema } from '../apimachinery/schema.ts';
import { atOnce, type Steps } from '../apimachinery/slices.ts';
import { conform } from './json/conform.ts';
import { jsonTextInSteps, looseTextInSteps } from './json/encode-in-steps.ts';
import { parseJson } from './json/parse.ts';
import { decodeProtobuf } from './protobuf/decode.ts';
import { encodeProtobuf } from './protobuf/encode.ts';
import { envelopeKind, isProtobuf, unwrapUnknown, wrapUnknown } from './protobuf/envelope.ts';

/** Groups of typed objects that the reference stores as JSON. */
const jsonGroups: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

export function storesProtobuf(group: string): boolean {
  return !jsonGroups.has(group);
}

/** Takes away what is not stored: the revision of the key tells the resourceVersion, and selfLink is no more. */
function withoutServerFields(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isObject(metadata) || (metadata['resourceVersion'] === undefined && metadata['selfLink'] === undefined)) return object;
  const { resourceVersion: _resourceVersion, selfLink: _selfLink, ...rest } = metadata;
  return { ...object, metadata: rest };
}

/**
 * Bytes as the reference stores them: `k8s\0` protobuf for built-in types, JSON with a line break for CRDs, APIServices
 * and (without a schema) custom resources; apiVersion and kind of `gvk`. The object is left as it is.
 */
export function encodeStored(schema: StructSchema | undefined, gvk: GroupVersionKind, object: JsonObject): Buffer {
  return atOnce(encodeStoredInSteps(schema, gvk, object));
}

/** As {@link encodeStored}; JSON is printed in steps. */
export function* encodeStoredInSteps(schema: StructSchema | undefined, gvk: GroupVersionKind, object: JsonObject): Steps<Buffer> {
  const stored = withoutServerFields(object);
  if (schema !== undefined && storesProtobuf(gvk.group)) return wrapUnknown(gvk, encodeProtobuf(schema, stored));
  const typed = withType(gvk, stored);
  return Buffer.from(`${yield* schema === undefined ? looseTextInSteps(typed) : jsonTextInSteps(schema, typed)}\n`, 'utf8');
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
 * Stored bytes, protobuf or JSON, to an object with apiVersion and kind. JSON of kinds without facts (custom resources)
 * is taken as it is.
 * @throws Error for bytes that are neither, or protobuf of an unknown kind
 */
export function decodeStored(facts: SchemaLookup, bytes: Uint8Array): Stored {
  if (!isProtobuf(bytes)) return decodeStoredJson(facts, bytes);
  const envelope = unwrapUnknown(bytes);
  const gvk = envelopeKind(envelope);
  const schema = facts.schema(gvk.group, gvk.version, gvk.kind);
  if (schema === undefined) throw new Error(`stored object of unknown kind ${envelope.apiVersion} ${envelope.kind}`);
  const object = decodeProtobuf(schema, envelope.raw) as KubeObject;
  object.kind = envelope.kind;
  object.apiVersion = envelope.apiVersion;
  return { object, gvk };
}

function decodeStoredJson(facts: SchemaLookup, bytes: Uint8Array): Stored {
  const value = parseJson(bytes);
  if (!isObject(value)) throw new Error('stored JSON is no object');
  const gvk = { ...parseGroupVersion(textAt(value, 'apiVersion')), kind: textAt(value, 'kind') };
  const schema = facts.schema(gvk.group, gvk.version, gvk.kind);
  const object = schema === undefined ? (value as KubeObject) : conform(schema, value, { strict: false }).object;
  return { object, gvk };
}
