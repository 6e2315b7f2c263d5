import type { LabelFilter, Param, ParamLister, ParamSource } from '#shared/admission/policies/contract/param-source.ts';
import { formatGroupVersion, type GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { jsonValue } from '#shared/cel/values/json-value.ts';
import type { ResourceStore } from '#shared/registry/resource-store.ts';
import type { RestResource } from '#shared/registry/rest.ts';
import { parseEntry } from '#shared/registry/stored-form.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import type { CustomResources } from './custom-resources.ts';

/** Custom resources as parameters of policies, from the caches of this process. */
export class CustomParams implements ParamSource {
  #resources: CustomResources | undefined;

  /** Admission is made before the resources that it admits. */
  serve(resources: CustomResources): void {
    this.#resources = resources;
  }

  find(_user: object, kind: GroupVersionKind): Promise<ParamLister | undefined> {
    const resources = this.#resources;
    for (const { group, names, namespaced, versions } of resources?.definitions() ?? []) {
      if (group !== kind.group || names.kind !== kind.kind) continue;
      if (resources === undefined || !versions.some(({ name, served }) => name === kind.version && served)) continue;
      const find = (): RestResource | undefined => resources.find(group, kind.version, names.plural);
      return Promise.resolve(new CustomParamLister(kind, namespaced, find));
    }
    return Promise.resolve(undefined);
  }

  keepOnly(): void {
    // The caches belong to the resources.
  }

  close(): void {
    this.#resources = undefined;
  }
}

/** Looks the resource up each time: a definition that changes gets a new one. */
class CustomParamLister implements ParamLister {
  readonly namespaced: boolean;
  readonly #kind: GroupVersionKind;
  readonly #find: () => RestResource | undefined;
  readonly #params = new WeakMap<CacheEntry, Param>();

  constructor(kind: GroupVersionKind, namespaced: boolean, find: () => RestResource | undefined) {
    this.namespaced = namespaced;
    this.#kind = kind;
    this.#find = find;
  }

  /** Not while the resource is away: objects that are not known must not be taken for ones that do not exist. */
  isReady(): boolean {
    return this.#find()?.store?.cache.isReady() ?? false;
  }

  async ready(): Promise<void> {
    await this.#find()?.store?.cache.ready();
  }

  get(namespace: string, name: string): Param | undefined | Promise<Param | undefined> {
    const rest = this.#find();
    const entry = rest?.store?.cache.get(rest.store.key(namespace, name));
    if (rest === undefined || entry === undefined) return undefined;
    const params = this.#paramsOf(rest, [entry], () => true);
    return params instanceof Promise ? params.then(([param]) => param) : params[0];
  }

  list(namespace: string, isWanted: LabelFilter): readonly Param[] | Promise<readonly Param[]> {
    const rest = this.#find();
    const store: ResourceStore | undefined = rest?.store;
    if (rest === undefined || store === undefined) return [];
    return this.#paramsOf(rest, [...store.cache.snapshot().entries(store.key(namespace))], isWanted);
  }

  /** The labels are asked after a webhook has converted the objects, which may change them. */
  #paramsOf(
    rest: RestResource,
    entries: readonly CacheEntry[],
    isWanted: LabelFilter,
  ): readonly Param[] | Promise<readonly Param[]> {
    const converted = rest.store?.convert?.(entries) ?? entries;
    const make = (all: readonly CacheEntry[]): readonly Param[] =>
      all.filter(({ labels }) => isWanted(labels)).map((entry) => this.#paramOf(rest, entry));
    return converted instanceof Promise ? converted.then(make) : make(converted);
  }

  #paramOf({ conversion }: RestResource, entry: CacheEntry): Param {
    let param = this.#params.get(entry);
    if (param === undefined) {
      const stored = atOnce(parseEntry(entry));
      const object = conversion?.fromStorage(stored) ?? stored;
      object.apiVersion = formatGroupVersion(this.#kind);
      this.#params.set(entry, (param = { object, value: jsonValue(object) }));
    }
    return param;
  }
}
