import type { Facts, ResourceFacts } from '#shared/api/facts.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { outsideRequests } from '#shared/observability/request-scope.ts';
import { outsideSpans } from '#shared/spans/active-span.ts';
import { storageOf } from '#shared/storage/create/partitioned-storage.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { undecodable } from '#shared/storage/undecodable.ts';
import { createWatchCache } from '#shared/watchcache/create-watch-cache.ts';
import type { CacheEntry, HeldObjects, WatchCache } from '#shared/watchcache/watch-cache.ts';
import { DoubtedEntries } from './doubted-entries.ts';
import { forgetForms } from './entry-forms.ts';
import { malformedByDefault, type MalformedObjects } from './malformed-objects.ts';
import type { ReportError } from './object-store.ts';
import type { ResourceCaches } from './resource-caches.ts';
import { parseEntry, StoredForm, type ObjectForm, type StoredFormHooks, type StoredShape } from './stored-form.ts';
import { forgetWritten } from './written-messages.ts';

export { parseEntry } from './stored-form.ts';

export interface ResourceCachesOptions {
  readonly storage: Storage;
  /** The media type of stored objects (`--storage-media-type`). Default: protobuf. */
  readonly storageMediaType?: string | undefined;
  readonly facts: Facts;
  /** Values of the selectable fields beyond name and namespace; undefined if the kind has none. */
  readonly selectableFieldsOf?: (
    group: string,
    resource: string,
  ) => ((object: KubeObject) => Record<string, string>) | undefined;
  /** Sets defaults that the facts cannot express, for objects written by an older server. */
  readonly defaultsOf?: (group: string, resource: string) => ((object: KubeObject) => Steps<void>) | undefined;
  /** Default: errors are not reported. */
  readonly reportError?: ReportError;
  /**
   * Called for a stored object that cannot be decoded; it is left out of its cache. `key` is without the prefix of the
   * cluster. Default: reported as an error.
   */
  readonly reportUndecodable?: ((key: string, error: unknown) => void) | undefined;
  /** How objects that cannot be read are told of. */
  readonly malformed?: MalformedObjects | undefined;
  /** The stored form of a resource, if it is not the storage version of the facts. */
  readonly shapeOf?: (group: string, resource: string) => StoredShape | undefined;
  /**
   * The part of an object that the cache keeps, for resources that this process reads but does not serve; undefined
   * keeps all of it.
   */
  readonly excerptOf?: (group: string, resource: string) => ((object: KubeObject) => KubeObject) | undefined;
  /** Whether caches are compared with storage every few minutes. Default: false. */
  readonly checksCaches?: boolean | undefined;
}

/** A cache asks again afterwards. */
const storageAnswersWithinMs = 10_000;

/** The caches, and for each resource the stored form that its registry writes. */
export interface StoredResources extends ResourceCaches {
  /** What a cache holds; undefined for one that was not made yet, or is not ready. Makes none. */
  heldBy(group: string, resource: string): HeldObjects | undefined;
  /** The facts in the storage version. Throws for a resource that is not stored. */
  stored(group: string, resource: string): StoredResource;
}

export interface StoredResource {
  readonly facts: ResourceFacts;
  readonly form: ObjectForm;
  readonly cache: WatchCache;
  readonly malformed: MalformedObjects;
  readonly doubted: DoubtedEntries;
}

/** Makes each cache at first use; groups that share a storage prefix (events) share a cache. */
export function createResourceCaches(options: ResourceCachesOptions): StoredResources {
  return new Caches(options);
}

class Caches implements StoredResources {
  readonly #options: ResourceCachesOptions;
  readonly #byPrefix = new Map<string, StoredResource>();
  readonly #byName = new Map<string, StoredResource>();

  constructor(options: ResourceCachesOptions) {
    this.#options = options;
  }

  cache(group: string, resource: string): WatchCache {
    return this.stored(group, resource).cache;
  }

  heldBy(group: string, resource: string): HeldObjects | undefined {
    return this.#byName.get(`${resource}.${group}`)?.cache.held;
  }

  stored(group: string, resource: string): StoredResource {
    const name = `${resource}.${group}`;
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const facts = storageFacts(this.#options.facts, group, resource);
    let made = this.#byPrefix.get(facts.storagePrefix);
    if (made === undefined) {
      // The cache outlives the request that made it.
      made = outsideRequests(() => outsideSpans(() => this.#make(facts)));
      this.#byPrefix.set(facts.storagePrefix, made);
    }
    this.#byName.set(name, made);
    return made;
  }

  #make(facts: ResourceFacts): StoredResource {
    const hooks: StoredFormHooks = {
      shape: this.#options.shapeOf?.(facts.group, facts.resource),
      applyDefaults: this.#options.defaultsOf?.(facts.group, facts.resource),
      selectableFields: this.#options.selectableFieldsOf?.(facts.group, facts.resource),
      mediaType: this.#options.storageMediaType,
      excerpt: this.#options.excerptOf?.(facts.group, facts.resource),
    };
    const form = new StoredForm(this.#options.facts, facts, hooks);
    const reportError = this.#options.reportError ?? (() => {});
    const storage = storageOf(this.#options.storage, facts.storagePrefix);
    const prefix = `/${facts.storagePrefix}/`;
    const cache = createWatchCache({
      storage,
      firstRevision: () => resumeRevisionOf(storage),
      refusesFuture: isUncached(facts.resource),
      prefix,
      measured: { group: facts.group, resource: facts.resource },
      // The reference has no cache of those that could be checked.
      isChecked: this.#options.checksCaches === true && !isUncached(facts.resource),
      decode: (kv) => form.decode(kv),
      decodeInSteps: (kv) => form.decodeInSteps(kv),
      onUndecodable:
        this.#options.reportUndecodable ?? ((key, error) => reportError(undecodable(key, undefined, error), error)),
      forget(entry) {
        forgetForms(entry);
        forgetWritten(entry);
      },
      reportError: (error) => reportError(`Failed to list or watch ${facts.resource}; trying again`, error),
    });
    const malformed = this.#options.malformed ?? malformedByDefault;
    return { facts, form, cache, malformed, doubted: new DoubtedEntries(storage, prefix, cache) };
  }

  parse(entry: CacheEntry): KubeObject {
    return atOnce(parseEntry(entry));
  }

  close(): void {
    for (const { cache } of this.#byPrefix.values()) cache.close();
  }
}

async function resumeRevisionOf(storage: Storage): Promise<number> {
  if (storage.resumeRevision === 0) await storage.ready(storageAnswersWithinMs);
  return storage.resumeRevision;
}

/**
 * kube-apiserver keeps no cache of events (`pkg/kubeapiserver/default_storage_factory_builder.go`, cache size 0), as
 * events are many and rarely read. The cache of events here is filled at the first read.
 */
export function isUncached(resource: string): boolean {
  return resource === 'events';
}

function storageFacts(facts: Facts, group: string, resource: string): ResourceFacts {
  const versions = facts.groups().find((item) => item.name === group)?.versions ?? [];
  const found = versions.flatMap((version) => version.resources).find((item) => item.resource === resource);
  if (found === undefined || found.storageVersion === '')
    throw new Error(`${resource} of group ${JSON.stringify(group)} is not a stored resource`);
  const slash = found.storageVersion.indexOf('/');
  const storageGroup = slash < 0 ? '' : found.storageVersion.slice(0, slash);
  return facts.resource(storageGroup, found.storageVersion.slice(slash + 1), resource) ?? found;
}
