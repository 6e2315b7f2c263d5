import { randomBytes } from 'node:crypto';
import type { Facts, ResourceFacts } from '#shared/api/facts.ts';
import {
  formatGroupVersion,
  parseGroupVersion,
  type GroupVersion,
  type GroupVersionKind,
} from '#shared/apimachinery/gvk.ts';
import { isObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { atOnce, isSliced, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { decodeStored, encodeStored, storesProtobuf } from '#shared/serializer/codec.ts';
import { jsonTextInSteps } from '#shared/serializer/json/encode-in-steps.ts';
import { holdsExactRaw } from '#shared/serializer/json/exact-raw.ts';
import { parseSharingSets } from '#shared/serializer/json/parse-sharing-sets.ts';
import { parsePrinted } from '#shared/serializer/json/parse.ts';
import { emptyListsSoFar } from '#shared/serializer/protobuf/encode.ts';
import type { StoredKeyValue } from '#shared/storage/storage.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import { dropEmptyLists } from './drop-empty-lists.ts';
import { emptyBytesIn } from './empty-bytes.ts';
import { keepWritten } from './written-messages.ts';

/**
 * Placeholder of the resourceVersion in printed JSON. It is random, so no client can forge it, and it is found without
 * parsing.
 */
const placeholder = `qd-${randomBytes(9).toString('hex')}`;
const placeholderField = `"resourceVersion":"${placeholder}"`;

/**
 * An object printed once: the bytes to store, and the JSON before and after the resourceVersion, which is known only
 * after the write.
 */
export interface EncodedObject {
  readonly stored: Buffer;
  readonly head: string;
  readonly tail: string;
  readonly object: KubeObject;
}

/** How the objects of one resource are stored, and how they become cache entries. */
export interface ObjectForm {
  /** The schema of the objects that strategies get. */
  readonly schema: StructSchema;
  /** Encodes the object as stored bytes and as JSON. Sets apiVersion and kind; removes resourceVersion and selfLink. */
  encode(object: KubeObject): Steps<EncodedObject>;
  /**
   * The entry that serves an encoded object at its revision; revision 0 (dry run of a create) prints no
   * resourceVersion.
   */
  entryOf(key: string, encoded: EncodedObject, revision: number): CacheEntry;
  /** Decodes stored bytes to an entry; keeps no reference to the value. */
  decode(kv: StoredKeyValue): CacheEntry;
  /** As {@link decode}, in steps. */
  decodeInSteps(kv: StoredKeyValue): Steps<CacheEntry>;
  /** A parsed copy as strategies see it. Waits where a webhook has to convert the object, `fresh` or not. */
  parse(entry: CacheEntry, fresh?: boolean): Steps<KubeObject>;
  /** Set where a webhook converts between the versions of objects. */
  readonly convert?: ConvertEntries | undefined;
}

/**
 * Converts entries of the cache to the version of the requests, in order; entries of that version stay as they are.
 * `fresh`: by the webhook as it is now. Otherwise an earlier conversion is used again, as lists and watches of the
 * reference do.
 * @throws StatusError 500 where the webhook fails
 */
export type ConvertEntries = (
  entries: readonly CacheEntry[],
  fresh?: boolean,
) => readonly CacheEntry[] | Promise<readonly CacheEntry[]>;

/** The shape of a resource that is stored in a version that is not served (CustomResourceDefinitions). */
export interface StoredShape {
  readonly version: GroupVersion;
  /** A copy in the stored version; apiVersion is set by the caller. */
  toStored(object: KubeObject): KubeObject;
  /** Converts from any stored version; may change the object in place. */
  fromStored(object: KubeObject, version: GroupVersion): KubeObject;
}

export interface StoredFormHooks {
  readonly shape?: StoredShape | undefined;
  /** The media type of stored objects (`--storage-media-type`). Default: protobuf. */
  readonly mediaType?: string | undefined;
  /** Sets defaults and other fields that old data may lack. */
  readonly applyDefaults?: ((object: KubeObject) => Steps<void>) | undefined;
  /** Values of the selectable fields beyond name and namespace. */
  readonly selectableFields?: ((object: KubeObject) => Record<string, string>) | undefined;
  /**
   * The part of decoded objects that goes into entries, as plain JSON without labels and fields. Only for entries that
   * are not served to clients.
   */
  readonly excerpt?: ((object: KubeObject) => KubeObject) | undefined;
}

/** The form of resources that the facts know. */
export class StoredForm implements ObjectForm {
  readonly gvk: GroupVersionKind;
  readonly schema: StructSchema;
  readonly #apiVersion: string;
  readonly #facts: Facts;
  readonly #hooks: StoredFormHooks;
  readonly #keyPrefix: string;
  readonly #storesProtobuf: boolean;
  /** Whether what is stored is protobuf of the shape that is served. */
  readonly #storesServed: boolean;

  /** Throws if the facts have no schema for the storage version. */
  constructor(facts: Facts, resource: ResourceFacts, hooks: StoredFormHooks) {
    this.gvk = { ...parseGroupVersion(resource.storageVersion), kind: resource.kind };
    const schema = facts.schema(this.gvk.group, this.gvk.version, this.gvk.kind);
    if (schema === undefined)
      throw new Error(
        `no schema of ${resource.storageVersion} ${resource.kind}, the stored form of ${resource.resource}`,
      );
    this.schema = schema;
    this.#apiVersion = formatGroupVersion(this.gvk);
    this.#facts = facts;
    this.#hooks = hooks;
    this.#keyPrefix = `/${resource.storagePrefix}/`;
    this.#storesProtobuf = storesProtobuf(this.gvk.group, hooks.mediaType);
    this.#storesServed = this.#storesProtobuf && hooks.shape === undefined;
  }

  *encode(object: KubeObject): Steps<EncodedObject> {
    this.#prepare(object);
    if (this.#storesProtobuf && isSliced()) yield* dropEmptyLists(this.schema, object);
    if (isSliced()) yield;
    const emptyLists = emptyListsSoFar();
    const stored = yield* encodeStored(...this.#storedShape(object), this.#hooks.mediaType);
    // The message is the same without empty lists, and only few objects have one.
    if (this.#storesProtobuf && emptyLists !== emptyListsSoFar()) yield* dropEmptyLists(this.schema, object);
    if (isSliced()) yield;
    const { head, tail } = yield* printAround(object, (printed) => jsonTextInSteps(this.schema, printed));
    return { stored, head, tail, object };
  }

  #prepare(object: KubeObject): void {
    object.kind = this.gvk.kind;
    object.apiVersion = this.#apiVersion;
    delete object.metadata.selfLink;
    delete object.metadata.resourceVersion;
  }

  /** The object in its stored version, with the schema and kind of that version. */
  #storedShape(object: KubeObject): readonly [StructSchema | undefined, GroupVersionKind, KubeObject] {
    const { shape } = this.#hooks;
    if (shape === undefined) return [this.schema, this.gvk, object];
    const gvk = { ...shape.version, kind: this.gvk.kind };
    return [this.#facts.schema(gvk.group, gvk.version, gvk.kind), gvk, shape.toStored(object)];
  }

  entryOf(key: string, encoded: EncodedObject, revision: number): CacheEntry {
    const entry = this.#whole(
      entryOfEncoded(key, encoded, revision, this.#hooks.selectableFields?.(encoded.object)),
      encoded.object,
      encoded.stored,
    );
    if (entry.unprinted === undefined && this.#storesServed && revision !== 0) keepWritten(entry, encoded.stored);
    return entry;
  }

  /** Adds the stored bytes to an entry if its JSON does not hold everything. */
  #whole(entry: CacheEntry, object: KubeObject, stored: Uint8Array): CacheEntry {
    return this.#storesProtobuf && (emptyBytesIn(this.schema, object) !== '' || holdsExactRaw(this.schema, object))
      ? { ...entry, unprinted: Buffer.from(stored) }
      : entry;
  }

  *parse(entry: CacheEntry): Steps<KubeObject> {
    if (entry.unprinted === undefined) return yield* parseEntry(entry);
    return yield* this.#decoded({ key: entry.key, value: entry.unprinted, modRevision: entry.revision });
  }

  decode(kv: StoredKeyValue): CacheEntry {
    return atOnce(this.decodeInSteps(kv));
  }

  *decodeInSteps(kv: StoredKeyValue): Steps<CacheEntry> {
    const object = yield* this.#decoded(kv);
    if (this.#hooks.excerpt !== undefined) return this.#excerpt(kv, this.#hooks.excerpt(object));
    if (isSliced()) yield;
    const text = yield* jsonTextInSteps(this.schema, object);
    return this.#whole(
      {
        key: kv.key,
        namespace: object.metadata.namespace ?? '',
        name: object.metadata.name ?? kv.key.slice(this.#keyPrefix.length),
        revision: kv.modRevision,
        json: exactBuffer(text),
        labels: object.metadata.labels,
        fields: this.#hooks.selectableFields?.(object),
        storedBytes: kv.value.length,
      },
      object,
      kv.value,
    );
  }

  /** The decoded object as strategies get it; for excerpts, without defaults. */
  *#decoded({ key, value, modRevision }: Pick<StoredKeyValue, 'key' | 'value' | 'modRevision'>): Steps<KubeObject> {
    const { object: decoded, gvk } = yield* decodeStored(this.#facts, value);
    if (gvk.kind !== this.gvk.kind) throw new Error(`${key} holds a ${gvk.kind}, not a ${this.gvk.kind}`);
    const object = this.#hooks.shape?.fromStored(asKubeObject(decoded), gvk) ?? asKubeObject(decoded);
    if (this.#hooks.excerpt !== undefined) return object;
    if (this.#hooks.applyDefaults !== undefined) yield* this.#hooks.applyDefaults(object);
    object.kind = this.gvk.kind;
    object.apiVersion = this.#apiVersion;
    object.metadata.resourceVersion = String(modRevision);
    return object;
  }

  #excerpt({ key, modRevision }: StoredKeyValue, excerpt: KubeObject): CacheEntry {
    const { name = key.slice(this.#keyPrefix.length), namespace = '' } = excerpt.metadata;
    return {
      key,
      namespace,
      name,
      revision: modRevision,
      json: exactBuffer(JSON.stringify(excerpt)),
      labels: undefined,
      fields: undefined,
      storedBytes: 0,
    };
  }
}

/** Prints an object in two parts, between which its resourceVersion is inserted later. */
export function* printAround(
  object: KubeObject,
  print: (object: KubeObject) => Steps<string>,
): Steps<{ head: string; tail: string }> {
  object.metadata.resourceVersion = placeholder;
  const text = yield* print(object);
  delete object.metadata.resourceVersion;
  const at = text.indexOf(placeholderField);
  return { head: text.slice(0, at), tail: text.slice(at + placeholderField.length) };
}

/** The entry of an object that was printed; its resourceVersion is set, too. */
export function entryOfEncoded(
  key: string,
  encoded: EncodedObject,
  revision: number,
  fields: CacheEntry['fields'],
): CacheEntry {
  const { object, head, tail } = encoded;
  const texts = revision === 0 ? [joinWithout(encoded)] : [head, `"resourceVersion":"${revision}"`, tail];
  if (revision !== 0) object.metadata.resourceVersion = String(revision);
  return {
    key,
    namespace: object.metadata.namespace ?? '',
    name: object.metadata.name ?? '',
    revision,
    json: exactBuffer(...texts),
    labels: object.metadata.labels,
    fields,
    storedBytes: encoded.stored.length,
  };
}

/** Whether the object is printed exactly as the entry is, so that no write is needed. */
export function readsAs(encoded: EncodedObject, entry: CacheEntry): boolean {
  // A write without a change brings an object to the present storage version.
  if (entry.isOutdated === true) return false;
  const text = `${encoded.head}"resourceVersion":"${entry.revision}"${encoded.tail}`;
  return Buffer.byteLength(text) === entry.json.length && entry.json.toString('utf8') === text;
}

/** Parses the JSON of an entry. This server printed it, so it needs no checks that input of clients needs. */
export function* parseEntry(entry: CacheEntry): Steps<KubeObject> {
  const text = entry.json.toString('utf8');
  const isAscii = text.length === entry.json.length;
  const value = isAscii && !isSliced() ? parseSharingSets(text) : yield* parsePrinted(text);
  if (!isObject(value)) throw new Error(`${entry.key} is not an object`);
  return asKubeObject(value);
}

/** Removing the resourceVersion also removes the comma on one side. */
export function joinWithout({ head, tail }: { readonly head: string; readonly tail: string }): string {
  if (head.endsWith(',')) return head.slice(0, -1) + tail;
  return head + (tail.startsWith(',') ? tail.slice(1) : tail);
}

/**
 * A buffer of its own for texts, one after the other: entries live long, and a slice of a pooled buffer would keep the
 * whole pool in memory. Texts that were joined before would be copied once more.
 */
export function exactBuffer(...texts: readonly string[]): Buffer {
  let length = 0;
  for (const text of texts) length += Buffer.byteLength(text);
  const buffer = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const text of texts) at += buffer.write(text, at);
  return buffer;
}
