import { cloneInSteps } from '#shared/apimachinery/json/clone.ts';
import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, valueAt, type KubeObject } from '#shared/apimachinery/object.ts';
import type { CustomShape, StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { atOnce, type Steps } from '#shared/apimachinery/slices/slices.ts';
import {
  entryOfEncoded,
  exactBuffer,
  joinWithout,
  parseEntry,
  printAround,
  type EncodedObject,
  type ObjectForm,
} from '#shared/registry/stored-form.ts';
import { parseCbor } from '#shared/serializer/cbor/decode-value.ts';
import { encodeCborStored, isCbor } from '#shared/serializer/cbor/encode.ts';
import { looseTextInSteps } from '#shared/serializer/json/loose-in-steps.ts';
import { parseJson } from '#shared/serializer/json/parse.ts';
import type { StoredKeyValue } from '#shared/storage/storage.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import { leaveOutZeros } from './custom-resource-schema.ts';

/** One version of a custom resource: its apiVersion and its schema. */
export interface ResourceVersionShape {
  readonly apiVersion: string;
  readonly schema: StructSchema;
}

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
  /** Paths of selectable fields of any version. */
  readonly selectableFields: readonly string[];
}

/**
 * The stored form of custom resources: JSON or CBOR in the storage version, with sorted keys. The cache holds the
 * storage version with its defaults; strategies see the version of the request, as in the reference.
 */
export class CustomResourceForm implements ObjectForm {
  readonly schema: StructSchema;
  readonly #options: CustomResourceFormOptions;
  readonly #sameVersion: boolean;
  readonly #fields: readonly { readonly name: string; readonly path: readonly string[] }[];

  constructor(options: CustomResourceFormOptions) {
    this.#options = options;
    this.schema = options.served.schema;
    this.#sameVersion = options.served.apiVersion === options.storage.apiVersion;
    this.#fields = options.selectableFields.map((path) => ({
      name: path.replace(/^\./, ''),
      path: path.replace(/^\./, '').split('.'),
    }));
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
      yield;
      const stored = this.#options.storesCbor ? encodeCborStored(served) : Buffer.from(`${joinWithout(printed)}\n`);
      yield;
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
    const object = yield* this.#convert(yield* cloneInSteps(served), storage);
    yield;
    const stored = this.#options.storesCbor
      ? encodeCborStored(object)
      : Buffer.from(`${yield* looseTextInSteps(object)}\n`);
    yield;
    // Readers see the defaults of the storage version, whichever version the object was written in.
    yield* shapeOf(storage).applyDefaults(object);
    return { stored, ...(yield* printAround(object, looseTextInSteps)), object };
  }

  entryOf(key: string, encoded: EncodedObject, revision: number): CacheEntry {
    return entryOfEncoded(key, encoded, revision, this.#selectable(encoded.object));
  }

  decode(kv: StoredKeyValue): CacheEntry {
    return atOnce(this.decodeInSteps(kv));
  }

  *decodeInSteps(kv: StoredKeyValue): Steps<CacheEntry> {
    const value = yield* readStoredValue(kv.value);
    if (!isObject(value)) throw new Error(`${kv.key} is no object`);
    yield;
    const object = yield* this.#readStored(value);
    yield;
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
      fields: this.#selectable(object),
    };
  }

  *parse(entry: CacheEntry): Steps<KubeObject> {
    const stored = yield* parseEntry(entry);
    yield;
    return this.#sameVersion ? stored : yield* this.#convert(stored, this.#options.served);
  }

  /** Converts an object of the cache, in place, to the version that strategies and clients see. */
  toServed(stored: KubeObject): KubeObject {
    return this.#sameVersion ? stored : atOnce(this.#convert(stored, this.#options.served));
  }

  /** Conversion strategy None: sets the apiVersion and prunes the fields that the new version does not declare. */
  *#convert(object: KubeObject, to: ResourceVersionShape): Steps<KubeObject> {
    object.apiVersion = to.apiVersion;
    yield* shapeOf(to).conform(object);
    return object;
  }

  *#readStored(value: JsonObject): Steps<KubeObject> {
    const { kind, storage, versionOf } = this.#options;
    const stored = versionOf(String(value['apiVersion'])) ?? storage;
    value['kind'] = kind;
    value['apiVersion'] = stored.apiVersion;
    yield* shapeOf(stored).conformStored(value);
    yield;
    const object = asKubeObject(value);
    yield* shapeOf(stored).applyDefaults(object);
    // Very old objects have no generation.
    object.metadata.generation ??= 1;
    return stored.apiVersion === storage.apiVersion ? object : yield* this.#convert(object, storage);
  }

  #selectable(object: KubeObject): Record<string, string> | undefined {
    if (this.#fields.length === 0) return undefined;
    return Object.fromEntries(this.#fields.map(({ name, path }) => [name, fieldText(valueAt(object, ...path))]));
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

function fieldText(value: ReturnType<typeof valueAt>): string {
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}
