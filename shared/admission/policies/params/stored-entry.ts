import { Buffer } from 'node:buffer';
import { isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { asKubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { parseCbor } from '#shared/serializer/cbor/decode-value.ts';
import { isCbor } from '#shared/serializer/cbor/encode.ts';
import { looseText } from '#shared/serializer/json/loose.ts';
import { parseJson } from '#shared/serializer/json/parse.ts';
import type { StoredKeyValue } from '#shared/storage/storage.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';

/** Reads an object that is stored as JSON or CBOR, as definitions and custom resources are, without their schema. */
export function readStoredEntry(kv: StoredKeyValue): CacheEntry {
  const { buffer, byteOffset, byteLength } = kv.value;
  const value: JsonValue = isCbor(kv.value)
    ? parseCbor(Buffer.from(buffer, byteOffset, byteLength))
    : atOnce(parseJson(kv.value));
  if (!isObject(value)) throw new Error(`${kv.key} is no object`);
  const object = asKubeObject(value);
  const { metadata } = object;
  metadata.resourceVersion = String(kv.modRevision);
  return {
    key: kv.key,
    namespace: metadata.namespace ?? '',
    name: metadata.name ?? '',
    revision: kv.modRevision,
    json: Buffer.from(looseText(object)),
    labels: metadata.labels,
    fields: undefined,
  };
}
