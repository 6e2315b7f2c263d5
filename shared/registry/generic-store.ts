import type { ResourceFacts } from '#shared/api/facts.ts';
import { newNotFound } from '#shared/apimachinery/errors/status.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { Storage } from '#shared/storage/storage.ts';
import type { CacheEntry, WatchCache } from '#shared/watchcache/watch-cache.ts';
import { waitToRead } from './cached-read-span.ts';
import { createObject } from './create-object.ts';
import type { StoredResource } from './create-resource-caches.ts';
import { deleteMalformed } from './delete-malformed.ts';
import { deleteObject } from './delete-object.ts';
import type { MalformedObjects } from './malformed-objects.ts';
import { ObjectStore, type ReportError } from './object-store.ts';
import type {
  AdmitCreate,
  AdmitDelete,
  DeleteRequest,
  DeleteResult,
  ResourceStore,
  UpdateRequest,
  WriteResult,
} from './resource-store.ts';
import type { ConvertEntries } from './stored-form.ts';
import type { OperationContext, Strategy } from './strategy.ts';
import { updateObject } from './update-object.ts';

/** The {@link ResourceStore} of every stored resource; differences between resources are in their strategies. */
export class GenericStore implements ResourceStore {
  readonly facts: ResourceFacts;
  readonly strategy: Strategy;
  readonly cache: WatchCache;
  readonly malformed: MalformedObjects;
  readonly convert: ConvertEntries | undefined;
  readonly #store: ObjectStore;

  /** `reportError` receives errors after a write is decided: side effects that could not be finished. */
  constructor(
    storage: Storage,
    stored: StoredResource,
    strategy: Strategy,
    reportError: ReportError = () => {},
    garbageCollection = true,
  ) {
    this.facts = stored.facts;
    this.strategy = strategy;
    this.cache = stored.cache;
    this.malformed = stored.malformed;
    this.convert = stored.form.convert;
    this.#store = new ObjectStore({ ...stored, strategy, storage, reportError, garbageCollection });
  }

  key(namespace: string, name?: string): string {
    return this.#store.key(namespace, name);
  }

  objectKey(namespace: string, name: string): string {
    return this.#store.objectKey(namespace, name);
  }

  async get(namespace: string, name: string): Promise<CacheEntry> {
    const key = this.#store.objectKey(namespace, name);
    await waitToRead(this.cache, key);
    const cached = this.cache.get(key);
    const isSure = cached === undefined ? !this.cache.unreadable.has(key) : !this.isDoubted(cached);
    const entry = isSure ? cached : await this.readStored(key);
    if (entry === undefined) throw newNotFound({ group: this.facts.group, resource: this.facts.resource }, name);
    return entry;
  }

  isDoubted(entry: CacheEntry): boolean {
    return this.#store.doubted.has(entry);
  }

  readStored(key: string): Promise<CacheEntry | undefined> {
    return this.#store.readCurrent(key);
  }

  parse(entry: CacheEntry): KubeObject {
    return this.#store.parse(entry);
  }

  create(object: KubeObject, context: OperationContext, admit?: AdmitCreate): Promise<WriteResult> {
    return this.#answer(createObject(this.#store, object, context, admit));
  }

  update(request: UpdateRequest, context: OperationContext): Promise<WriteResult> {
    return this.#answer(updateObject(this.#store, request, context));
  }

  delete(name: string, request: DeleteRequest, context: OperationContext, admit?: AdmitDelete): Promise<DeleteResult> {
    return this.#answer(deleteObject(this.#store, name, request, context, admit));
  }

  deleteMalformed(name: string, context: OperationContext): Promise<void> {
    return this.#store.guard(deleteMalformed(this.#store, name, context), 'delete', name, context);
  }

  /** As in the reference, the answer of a write is converted from what was stored. */
  #answer<T extends { readonly entry: CacheEntry }>(write: Promise<T>): Promise<T> {
    const { convert } = this;
    if (convert === undefined) return write;
    return write.then(async (result) => {
      const [entry = result.entry] = await convert([result.entry], true);
      return { ...result, entry };
    });
  }
}
