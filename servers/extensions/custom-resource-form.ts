import { cloneInSteps } from '#shared/apimachinery/json/clone.ts';
import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import type { CustomShape, StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { atOnce, isSliced, waitFor, type Steps } from '#shared/apimachinery/slices/slices.ts';
import {
  entryOfEncoded,
  exactBuffer,
  joinWithout,
  parseEntry,
  printAround,
  type ConvertEntries,
  type EncodedObject,
  type ObjectForm,
} from '#shared/registry/stored-form.ts';
import { parseCbor } from '#shared/serializer/cbor/decode-value.ts';
import { encodeCborStored, isCbor } from '#shared/serializer/cbor/encode.ts';
import { looseTextInSteps } from '#shared/serializer/json/loose-in-steps.ts';
import { parseJson } from '#shared/serializer/json/parse.ts';
import type { StoredKeyValue } from '#shared/storage/storage.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import type { FormConversion } from './conversion/form-conversion.ts';
import { leaveOutZeros } from './custom-resource-schema.ts';
import type { ResourceVersionShape } from './facts/resource-version-shape.ts';
import type { SelectableFields } from './facts/selectable-fields.ts';

export interface CustomResourceFormOptions {
  readonly kind: string;
  /** The key prefix below `/registry/`. */
  readonly storagePrefix: string;
  readonly storage: ResourceVersionShape;
  /** Whether objects are written as CBOR instead of JSON (feature gate CBORServingAndStorage). */
  readonly storesCbor: boolean;
  /** The version that strategies see. */
  readonly served: ResourceVersionShape;
  /** Finds the shape of any version, because old objects may be stored in another version. */
  readonly versionOf: (apiVersion: string) => ResourceVersionShape | undefined;
  readonly fields: SelectableFields;
  /** Converts by a webhook. Absent for conversion strategy None. */
  readonly webhook?: FormConversion | undefined;
}

/**
 * The stored form of custom resources: JSON or CBOR in the storage version, with sorted keys. The cache holds the
 * storage version with its defaults; strategies see the version of the request, as in the reference. Where a webhook
 * converts, the cache holds each object in the version in which it lies in storage, since decoding cannot wait.
 */
export class CustomResourceForm implements ObjectForm {
  readonly schema: StructSchema;
  readonly convert: ConvertEntries | undefined;
  readonly #options: CustomResourceFormOptions;
  readonly #sameVersion: boolean;

  constructor(options: CustomResourceFormOptions) {
    this.#options = options;
    this.schema = options.served.schema;
    this.#sameVersion = options.served.apiVersion === options.storage.apiVersion;
    const { webhook, served } = options;
    this.convert = webhook && ((entries, fresh) => webhook.entries(entries, served.apiVersion, fresh));
  }

  *encode(served: KubeObject): Steps<EncodedObject> {
    const { kind, storage } = this.#options;
    delete served.metadata.selfLink;
    delete served.metadata.resourceVersion;
    leaveOutZeros(served.metadata);
    served.kind = kind;
    if (this.#sameVersion) {
      served.apiVersion = storage.apiVersion;
      const printed = yield* printAround(served, looseTextInSteps);
      if (isSliced()) yield;
      const stored = this.#options.storesCbor ? encodeCborStored(served) : Buffer.from(`${joinWithout(printed)}\n`);
      if (isSliced()) yield;
      // An apply leaves nulls in the object. They are removed from what readers see unless the schema allows them.
      const holdsNull = printed.tail.includes(':null');
      if (holdsNull) yield* shapeOf(storage).conform(served);
      // The strategy may have removed parts, such as a status at creation; readers still see the defaults of those.
      const defaulted = yield* shapeOf(storage).applyDefaults(served);
      return {
        stored,
        ...(defaulted || holdsNull ? yield* printAround(served, looseTextInSteps) : printed),
        object: served,
      };
    }
    const object = yield* this.#converted(yield* cloneInSteps(served), storage);
    if (isSliced()) yield;
    const stored = this.#options.storesCbor
      ? encodeCborStored(object)
      : Buffer.from(`${yield* looseTextInSteps(object)}\n`);
    if (isSliced()) yield;
    // Readers see the defaults of the storage version, whichever version the object was written in.
    yield* shapeOf(storage).applyDefaults(object);
    return { stored, ...(yield* printAround(object, looseTextInSteps)), object };
  }

  entryOf(key: string, encoded: EncodedObject, revision: number): CacheEntry {
    return entryOfEncoded(key, encoded, revision, this.#options.fields.valuesOf(encoded.object));
  }

  decode(kv: StoredKeyValue): CacheEntry {
    return atOnce(this.decodeInSteps(kv));
  }

  *decodeInSteps(kv: StoredKeyValue): Steps<CacheEntry> {
    const value = yield* readStoredValue(kv.value);
    if (!isObject(value)) throw new Error(`${kv.key} is no object`);
    if (isSliced()) yield;
    const writtenVersion = value['apiVersion'];
    const object = yield* this.#readStored(value);
    if (isSliced()) yield;
    const { metadata } = object;
    metadata.resourceVersion = String(kv.modRevision);
    const text = yield* looseTextInSteps(object);
    return {
      key: kv.key,
      namespace: metadata.namespace ?? '',
      name: metadata.name ?? kv.key.slice(kv.key.lastIndexOf('/') + 1),
      revision: kv.modRevision,
      json: exactBuffer(text),
      labels: metadata.labels,
      fields: this.#options.fields.valuesOf(object),
      storedBytes: kv.value.length,
      ...this.#marksOf(writtenVersion, object),
    };
  }

  /** What tells an entry from one in the storage version. */
  #marksOf(writtenVersion: JsonValue | undefined, { apiVersion }: KubeObject): Partial<CacheEntry> {
    const { storage } = this.#options;
    if (writtenVersion === storage.apiVersion) return {};
    return apiVersion === undefined || apiVersion === storage.apiVersion
      ? { isOutdated: true }
      : { isOutdated: true, apiVersion };
  }

  *parse(entry: CacheEntry, fresh?: boolean): Steps<KubeObject> {
    if (this.convert !== undefined) return yield* this.#parseConverted(entry, this.convert, fresh);
    const stored = yield* parseEntry(entry);
    if (isSliced()) yield;
    return this.#sameVersion ? stored : yield* this.#prunedTo(stored, this.#options.served);
  }

  *#parseConverted(entry: CacheEntry, convert: ConvertEntries, fresh?: boolean): Steps<KubeObject> {
    const answer = convert([entry], fresh);
    const [converted = entry] = answer instanceof Promise ? yield* waitFor(answer) : answer;
    return yield* parseEntry(converted);
  }

  /** Converts an object of the cache, in place, to the version that strategies and clients see. */
  toServed(stored: KubeObject): KubeObject {
    return this.#sameVersion ? stored : atOnce(this.#prunedTo(stored, this.#options.served));
  }

  #converted(object: KubeObject, to: ResourceVersionShape): Steps<KubeObject> {
    return this.#options.webhook?.object(object, to.apiVersion) ?? this.#prunedTo(object, to);
  }

  /** Conversion strategy None: sets the apiVersion and prunes the fields that the new version does not declare. */
  *#prunedTo(object: KubeObject, to: ResourceVersionShape): Steps<KubeObject> {
    object.apiVersion = to.apiVersion;
    yield* shapeOf(to).conform(object);
    return object;
  }

  *#readStored(value: JsonObject): Steps<KubeObject> {
    const { kind, storage, versionOf, webhook } = this.#options;
    const stored = versionOf(String(value['apiVersion'])) ?? storage;
    value['kind'] = kind;
    value['apiVersion'] = stored.apiVersion;
    yield* shapeOf(stored).conformStored(value);
    if (isSliced()) yield;
    const object = asKubeObject(value);
    yield* shapeOf(stored).applyDefaults(object);
    // Very old objects have no generation.
    object.metadata.generation ??= 1;
    return stored.apiVersion === storage.apiVersion || webhook !== undefined
      ? object
      : yield* this.#prunedTo(object, storage);
  }
}

function shapeOf({ schema }: ResourceVersionShape): CustomShape {
  if (schema.custom === undefined) throw new Error(`${schema.goName} is no custom resource`);
  return schema.custom;
}

/** Reads JSON and CBOR: stored objects keep the form in which they were written, whatever the feature gate is now. */
function* readStoredValue(bytes: Uint8Array): Steps<JsonValue> {
  return isCbor(bytes)
    ? parseCbor(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    : yield* parseJson(bytes);
}
