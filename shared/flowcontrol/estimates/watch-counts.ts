import type { RequestInfo } from '#shared/request/request-info.ts';

/** Watches of these resources that ask for one value of the field get few of the events. */
const indexedFields: ReadonlyMap<string, string> = new Map([['pods', 'spec.nodeName']]);

/** The watches of one resource. Most resources have few: nothing is looked up in what is empty. */
interface ResourceWatches {
  /** Of all namespaces. */
  all: number;
  readonly byNamespace: Map<string, number>;
  /** By namespace and name, between which no part of a path has a slash. */
  readonly byName: Map<string, number>;
}

/** The watches that this process serves, by what they are about (apiserver/pkg/util/flowcontrol/watch_tracker.go). */
export class WatchCounts {
  readonly #groups = new Map<string, Map<string, ResourceWatches>>();

  /** Counts a watch; call the result once, at its end. */
  begin(info: RequestInfo, fieldValue: (field: string) => string | undefined): () => void {
    const field = indexedFields.get(info.resource);
    // Of those with another value, an event reaches hardly any.
    if (field !== undefined && (fieldValue(field) ?? '') !== '') return () => {};
    const { apiGroup, resource, namespace, name } = info;
    this.#add(apiGroup, resource, namespace, name, 1);
    return () => this.#add(apiGroup, resource, namespace, name, -1);
  }

  /** How many watches a write may reach. */
  interestedIn(info: RequestInfo): number {
    const { apiGroup, resource, namespace, name } = info;
    const watches = this.#groups.get(apiGroup)?.get(resource);
    if (watches === undefined) return 0;
    const { all, byNamespace, byName } = watches;
    let count = all;
    if (namespace !== '' && byNamespace.size > 0) count += byNamespace.get(namespace) ?? 0;
    if (name !== '' && byName.size > 0) count += byName.get(`${namespace}/${name}`) ?? 0;
    return count;
  }

  #add(apiGroup: string, resource: string, namespace: string, name: string, change: 1 | -1): void {
    const resources = this.#groups.get(apiGroup) ?? new Map<string, ResourceWatches>();
    const watches = resources.get(resource) ?? { all: 0, byNamespace: new Map(), byName: new Map() };
    if (name !== '') addTo(watches.byName, `${namespace}/${name}`, change);
    else if (namespace !== '') addTo(watches.byNamespace, namespace, change);
    else watches.all += change;
    const isEmpty = watches.all === 0 && watches.byNamespace.size === 0 && watches.byName.size === 0;
    if (isEmpty) resources.delete(resource);
    else resources.set(resource, watches);
    if (resources.size === 0) this.#groups.delete(apiGroup);
    else this.#groups.set(apiGroup, resources);
  }
}

function addTo(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
