import type { GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { CacheFollower } from '#shared/follow/cache-follower.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { createWatchCache } from '#shared/watchcache/create-watch-cache.ts';
import type { CacheEntry, WatchCache } from '#shared/watchcache/watch-cache.ts';
import { readStoredEntry } from './stored-entry.ts';

/** What a process that does not serve a CustomResourceDefinition needs to know of it. */
export interface StoredDefinition {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly servedVersions: readonly string[];
  readonly storageVersion: string;
  /** Whether objects are converted by a webhook: then they cannot be read in other versions here. */
  readonly convertsByWebhook: boolean;
}

/** The definitions in storage, in both forms in which they are stored (v1beta1 and v1). */
export class StoredDefinitions {
  readonly #cache: WatchCache;
  readonly #follower: CacheFollower;
  readonly #byKey = new Map<string, StoredDefinition>();

  constructor(storage: Storage, reportError: (message: string, error: unknown) => void) {
    this.#cache = createWatchCache({
      storage,
      prefix: '/apiextensions.k8s.io/customresourcedefinitions/',
      decode: readStoredEntry,
      reportError: (error) => reportError('Failed to list or watch definitions; trying again', error),
    });
    this.#follower = new CacheFollower({
      cache: this.#cache,
      onState: (snapshot) => {
        this.#byKey.clear();
        for (const entry of snapshot.entries('')) this.#byKey.set(entry.key, definitionOf(entry));
      },
      onEvents: (events) => {
        for (const { type, entry } of events) {
          if (type === 'DELETED') this.#byKey.delete(entry.key);
          else this.#byKey.set(entry.key, definitionOf(entry));
        }
      },
    });
  }

  /** The established definition that serves a kind. */
  async find({ group, version, kind }: GroupVersionKind): Promise<StoredDefinition | undefined> {
    await this.#follower.ready();
    for (const found of this.#byKey.values())
      if (found.group === group && found.kind === kind && found.servedVersions.includes(version)) return found;
    return undefined;
  }

  close(): void {
    this.#follower.close();
    this.#cache.close();
  }
}

function definitionOf({ json }: CacheEntry): StoredDefinition {
  const value = JSON.parse(json.toString()) as JsonObject;
  const spec = objectAt(value, 'spec') ?? {};
  const status = objectAt(value, 'status');
  const names = objectAt(status, 'acceptedNames');
  const versions = objectsAt(spec, 'versions');
  const isEstablished = objectsAt(status, 'conditions').some(
    (condition) => stringAt(condition, 'type') === 'Established' && stringAt(condition, 'status') === 'True',
  );
  return {
    group: stringAt(spec, 'group'),
    plural: stringAt(names, 'plural'),
    kind: stringAt(names, 'kind'),
    namespaced: stringAt(spec, 'scope') === 'Namespaced',
    servedVersions: isEstablished
      ? versions.filter((version) => version['served'] === true).map((version) => stringAt(version, 'name'))
      : [],
    storageVersion: stringAt(
      versions.find((version) => version['storage'] === true),
      'name',
    ),
    convertsByWebhook: stringAt(objectAt(spec, 'conversion'), 'strategy') === 'Webhook',
  };
}
