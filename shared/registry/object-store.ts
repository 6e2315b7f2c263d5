import type { ResourceFacts } from '#shared/api/facts.ts';
import { newBadRequest } from '#shared/apimachinery/errors/status.ts';
import { parseGroupVersion, type GroupKind, type GroupResource } from '#shared/apimachinery/gvk.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { nameIsPathSegment } from '#shared/apimachinery/validation/names.ts';
import type { RequestAudit } from '#shared/request/request-audit.ts';
import { timed } from '#shared/request/timed.ts';
import type { StoredKeyValue, Storage } from '#shared/storage/storage.ts';
import { UndecodableError } from '#shared/storage/undecodable-error.ts';
import type { CacheEntry, WatchCache } from '#shared/watchcache/watch-cache.ts';
import type { DoubtedEntries } from './doubted-entries.ts';
import type { FieldManager } from './field-management/field-manager.ts';
import { storedFieldManager } from './field-managers.ts';
import { isMalformation, malformedObject, malformedOrigin, type MalformedObjects } from './malformed-objects.ts';
import { paceOf, type Pace } from './pace.ts';
import { interpretStorageError, type StorageOperation } from './storage-errors.ts';
import type { EncodedObject, ObjectForm } from './stored-form.ts';
import type { OperationContext, Strategy } from './strategy.ts';
import { WriteTurns } from './write-turns.ts';

/** Receives errors that reach no client response. */
export type ReportError = (message: string, error: unknown) => void;

/** The stored objects of one resource: state and methods that all operations of its generic store share. */
export class ObjectStore {
  readonly facts: ResourceFacts;
  readonly strategy: Strategy;
  readonly form: ObjectForm;
  readonly cache: WatchCache;
  readonly storage: Storage;
  readonly malformed: MalformedObjects;
  readonly doubted: DoubtedEntries;
  readonly reportError: ReportError;
  /** Whether the garbage collector is enabled. */
  readonly garbageCollection: boolean;
  readonly kind: GroupKind;
  /** Whether the resource has a status subresource: updates of the object do not change its status. */
  readonly hasStatus: boolean;
  /** Of updates and deletions that met a conflict. */
  readonly turns = new WriteTurns();
  readonly #root: string;
  readonly #fields = new Map<string, FieldManager>();

  constructor(options: {
    facts: ResourceFacts;
    strategy: Strategy;
    form: ObjectForm;
    cache: WatchCache;
    storage: Storage;
    malformed: MalformedObjects;
    doubted: DoubtedEntries;
    reportError: ReportError;
    garbageCollection: boolean;
  }) {
    this.facts = options.facts;
    this.strategy = options.strategy;
    this.form = options.form;
    this.cache = options.cache;
    this.storage = options.storage;
    this.malformed = options.malformed;
    this.doubted = options.doubted;
    this.reportError = options.reportError;
    this.garbageCollection = options.garbageCollection;
    this.kind = { group: options.facts.group, kind: options.facts.kind };
    this.hasStatus = options.strategy.hasStatus ?? options.facts.subresources.some((item) => item.name === 'status');
    this.#root = `/${options.facts.storagePrefix}/`;
  }

  key(namespace: string, name?: string): string {
    const base = this.facts.namespaced && namespace !== '' ? `${this.#root}${namespace}/` : this.#root;
    return name === undefined ? base : base + name;
  }

  /** Key of one object. Throws 400 if namespace or name is not valid in a key. */
  objectKey(namespace: string, name: string): string {
    if (this.facts.namespaced && namespace === '') throw newBadRequest('Namespace parameter required.');
    if (name === '') throw newBadRequest('Name parameter required.');
    const messages = nameIsPathSegment(name, false);
    if (messages.length > 0) throw newBadRequest(`Name parameter invalid: ${goQuote(name)}: ${messages.join(';')}`);
    return this.key(namespace, name);
  }

  /** The field manager of writes that the server itself makes. */
  fieldsOf(subresource: string): FieldManager {
    let fields = this.#fields.get(subresource);
    if (fields === undefined) {
      const kind = { ...parseGroupVersion(this.facts.storageVersion), kind: this.facts.kind };
      fields = storedFieldManager(this.facts, this.strategy, this.form.schema, kind, subresource);
      this.#fields.set(subresource, fields);
    }
    return fields;
  }

  /** The resource as the request names it. */
  resourceOf(context: OperationContext): GroupResource {
    return context.resource ?? { group: this.facts.group, resource: this.facts.resource };
  }

  parse(entry: CacheEntry): KubeObject {
    return atOnce(this.form.parse(entry));
  }

  /** As {@link parse}; large objects in slices. An object that a webhook converts is converted anew. */
  parseSliced(entry: CacheEntry): KubeObject | Promise<KubeObject> {
    return paceOf(entry.json.length).run(this.form.parse(entry, true));
  }

  /** Encodes an object; large ones in slices. */
  encode(object: KubeObject, pace: Pace): EncodedObject | Promise<EncodedObject> {
    return pace.run(this.form.encode(object));
  }

  /** The newest state, read from storage. Rejects with a {@link isMalformation} if it cannot be read. */
  async readCurrent(key: string, audit?: RequestAudit): Promise<CacheEntry | undefined> {
    const { kv } = await timed(audit, 'etcd', this.storage.get(key));
    return kv === undefined ? undefined : this.entryOfKv(kv, audit);
  }

  /** Skips decoding if the cache holds exactly this revision. */
  async entryOfKv(kv: StoredKeyValue, audit?: RequestAudit): Promise<CacheEntry> {
    const cached = this.cache.isReady() ? this.cache.get(kv.key) : undefined;
    if (cached?.revision === kv.modRevision) this.doubted.trust(cached);
    const entry =
      cached?.revision === kv.modRevision ? cached : await timed(audit, 'decode-response-object', this.#decoded(kv));
    // A value of another provider or key than writes is rewritten by the next update.
    return kv.isStale === true ? { ...entry, isOutdated: true } : entry;
  }

  async #decoded(kv: StoredKeyValue): Promise<CacheEntry> {
    try {
      return await paceOf(kv.value.length).run(this.form.decodeInSteps(kv));
    } catch (error) {
      throw new UndecodableError(kv.key, kv.modRevision, error);
    }
  }

  /**
   * Hands a completed write to the cache, which then need not decode it. If its event has arrived already, watchers get
   * it before the writer gets the response.
   */
  async written(key: string, encoded: EncodedObject, revision: number): Promise<CacheEntry> {
    const entry = this.form.entryOf(key, encoded, revision);
    this.cache.offer(entry);
    await this.cache.untilHandedOut(revision);
    return entry;
  }

  /** Runs a call of storage and translates its errors for the client. */
  async guard<T>(call: Promise<T>, operation: StorageOperation, name: string, context: OperationContext): Promise<T> {
    try {
      return await call;
    } catch (error) {
      if (isMalformation(error))
        throw operation === 'update' ? malformedOrigin(error, this.malformed) : malformedObject(error, this.malformed);
      throw interpretStorageError(error, operation, this.resourceOf(context), name);
    }
  }
}
