import type { LabelFilter, Param, ParamLister, ParamSource } from '#shared/admission/policies/contract/param-source.ts';
import { formatGroupVersion, type GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject } from '#shared/apimachinery/object.ts';
import { jsonValue } from '#shared/cel/values/json-value.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { createWatchCache } from '#shared/watchcache/create-watch-cache.ts';
import type { CacheEntry, WatchCache } from '#shared/watchcache/watch-cache.ts';
import { StoredDefinitions, type StoredDefinition } from './stored-definitions.ts';
import { readStoredEntry } from './stored-entry.ts';
import { UsedKinds } from './used-kinds.ts';

type ReportError = (message: string, error: unknown) => void;

/**
 * Custom resources as parameters, for servers that do not serve them: read from storage, so that no write depends on
 * another process. Objects that a webhook converts are found in their storage version only.
 */
export class StoredParams implements ParamSource {
  readonly #storage: Storage;
  readonly #reportError: ReportError;
  readonly #used = new UsedKinds<StoredParamLister>();
  #definitions: StoredDefinitions | undefined;

  constructor(storage: Storage, reportError: ReportError) {
    this.#storage = storage;
    this.#reportError = reportError;
  }

  async find(user: object, kind: GroupVersionKind): Promise<ParamLister | undefined> {
    this.#used.name(user, kind);
    if (this.#used.get(kind) !== undefined) return this.#used.get(kind);
    this.#definitions ??= new StoredDefinitions(this.#storage, this.#reportError);
    const definition = await this.#definitions.find(kind).catch(() => undefined);
    // Another user may have opened it meanwhile.
    if (definition === undefined || this.#used.get(kind) !== undefined) return this.#used.get(kind);
    if (definition.convertsByWebhook && definition.storageVersion !== kind.version) return undefined;
    const lister = new StoredParamLister(this.#storage, definition, kind, this.#reportError);
    lister.ready().catch(() => undefined);
    this.#used.set(kind, lister);
    return lister;
  }

  keepOnly(user: object, kinds: readonly GroupVersionKind[]): void {
    this.#used.keepOnly(user, kinds);
  }

  close(): void {
    this.#used.closeAll();
    this.#definitions?.close();
  }
}

class StoredParamLister implements ParamLister {
  readonly namespaced: boolean;
  readonly #root: string;
  readonly #apiVersion: string;
  readonly #cache: WatchCache;
  readonly #params = new WeakMap<CacheEntry, Param>();

  constructor(
    storage: Storage,
    { group, plural, namespaced }: StoredDefinition,
    kind: GroupVersionKind,
    reportError: ReportError,
  ) {
    this.namespaced = namespaced;
    this.#root = `/${group}/${plural}/`;
    this.#apiVersion = formatGroupVersion(kind);
    this.#cache = createWatchCache({
      storage,
      prefix: this.#root,
      decode: readStoredEntry,
      reportError: (error) => reportError(`Failed to list or watch ${plural}.${group}; trying again`, error),
    });
  }

  isReady(): boolean {
    return this.#cache.isReady();
  }

  ready(): Promise<void> {
    return this.#cache.ready();
  }

  get(namespace: string, name: string): Param | undefined {
    const entry = this.#cache.get(this.#below(namespace) + name);
    return entry === undefined ? undefined : this.#paramOf(entry);
  }

  list(namespace: string, isWanted: LabelFilter): readonly Param[] {
    return [...this.#cache.snapshot().entries(this.#below(namespace))]
      .filter(({ labels }) => isWanted(labels))
      .map((entry) => this.#paramOf(entry));
  }

  close(): void {
    this.#cache.close();
  }

  #below(namespace: string): string {
    return namespace === '' ? this.#root : `${this.#root}${namespace}/`;
  }

  #paramOf(entry: CacheEntry): Param {
    let param = this.#params.get(entry);
    if (param === undefined) {
      const object = asKubeObject(JSON.parse(entry.json.toString()) as JsonObject);
      object.apiVersion = this.#apiVersion;
      this.#params.set(entry, (param = { object, value: jsonValue(object) }));
    }
    return param;
  }
}
