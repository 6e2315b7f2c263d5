import type { Facts } from '#shared/api/facts.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { ObjectMeta } from '#shared/apimachinery/object.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { parseEntry } from '#shared/registry/create-resource-caches.ts';
import { entryFormOf } from '#shared/registry/entry-forms.ts';
import { cborItemOfJson, cborOfJson } from '#shared/serializer/cbor/encode.ts';
import { encodeJson } from '#shared/serializer/json/encode.ts';
import type { MediaType } from '#shared/serializer/negotiate.ts';
import { wrapUnknown } from '#shared/serializer/protobuf/envelope.ts';
import { protobufOfJson } from '#shared/serializer/protobuf/from-json.ts';
import type { JoinedBytes } from '#shared/serializer/protobuf/joined-bytes.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import { metadataEnd, metadataRange, metadataStart, templateGenerationAnnotation } from './entry-scan.ts';

export type MetaVersion = 'v1' | 'v1beta1';

export const metaGroup = 'meta.k8s.io';

/** Schema of a kind of `meta.k8s.io`. */
export function metaSchema(facts: Facts, version: MetaVersion, kind: string): StructSchema {
  const schema = facts.schema(metaGroup, version, kind) ?? facts.schema(metaGroup, 'v1', kind);
  if (schema === undefined) throw new Error(`no schema of ${kind} in ${metaGroup}/${version}`);
  return schema;
}

export function partialMetadata(version: MetaVersion, metadata: ObjectMeta): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion: `${metaGroup}/${version}`, metadata };
}

function metadataOf(entry: CacheEntry): ObjectMeta {
  const { kind, apiVersion, metadata } = atOnce(parseEntry(entry));
  if (
    kind !== 'DaemonSet' ||
    apiVersion !== 'apps/v1' ||
    metadata.annotations?.[templateGenerationAnnotation] === undefined
  )
    return metadata;
  const { [templateGenerationAnnotation]: _generation, ...annotations } = metadata.annotations;
  const { annotations: _all, ...rest } = metadata;
  return Object.keys(annotations).length === 0 ? rest : { ...rest, annotations };
}

const heads = { v1: headOf('v1'), v1beta1: headOf('v1beta1') };
const close = Buffer.from('}');

function headOf(version: MetaVersion): Buffer {
  return Buffer.from(`{"kind":"PartialObjectMetadata","apiVersion":"${metaGroup}/${version}","metadata":`);
}

/**
 * An object as PartialObjectMetadata in JSON, without a line break. The metadata is a view of the stored bytes where
 * they can be shown as they are.
 */
export function metadataChunks(facts: Facts, version: MetaVersion, entry: CacheEntry): readonly Buffer[] {
  const range = metadataRange(entry);
  if (range !== undefined) return [heads[version], entry.json.subarray(range.start, range.end), close];
  return [
    entryFormOf(entry, `metadata json ${version}`, () =>
      encodeJson(metaSchema(facts, version, 'PartialObjectMetadata'), partialMetadata(version, metadataOf(entry))),
    ),
  ];
}

/** Appends the bytes of {@link metadataChunks} to `out`. */
export function appendMetadata(facts: Facts, version: MetaVersion, entry: CacheEntry, out: JoinedBytes): void {
  const start = metadataStart(entry);
  if (start < 0) {
    for (const chunk of metadataChunks(facts, version, entry)) out.append(chunk);
    return;
  }
  out.append(heads[version]);
  out.range(entry.json, start, metadataEnd(entry.json, start));
  out.append(close);
}

/** The bytes of {@link metadataChunks} in one buffer. */
export function metadataJson(facts: Facts, version: MetaVersion, entry: CacheEntry): Buffer {
  return Buffer.concat(metadataChunks(facts, version, entry));
}

/** An object as PartialObjectMetadata in JSON, protobuf (with its envelope) or CBOR (with its tag). */
export function metadataBytes(facts: Facts, version: MetaVersion, entry: CacheEntry, mediaType: MediaType): Buffer {
  switch (mediaType) {
    case 'application/vnd.kubernetes.protobuf':
      return wrapUnknown(
        { group: metaGroup, version, kind: 'PartialObjectMetadata' },
        metadataProtobuf(facts, version, entry),
      );
    case 'application/cbor':
      return cborOfJson(undefined, metadataJson(facts, version, entry));
    default:
      return metadataJson(facts, version, entry);
  }
}

/** PartialObjectMetadata as an item of a CBOR list. */
export function metadataCborItem(facts: Facts, version: MetaVersion, entry: CacheEntry): Buffer {
  return entryFormOf(entry, `metadata cbor ${version}`, () =>
    cborItemOfJson(undefined, metadataJson(facts, version, entry)),
  );
}

/** PartialObjectMetadata in protobuf, without an envelope. */
export function metadataProtobuf(facts: Facts, version: MetaVersion, entry: CacheEntry): Buffer {
  return entryFormOf(entry, 'metadata protobuf', () =>
    protobufOfJson(metaSchema(facts, version, 'PartialObjectMetadata'), metadataJson(facts, version, entry)),
  );
}
