import { isDeepStrictEqual } from 'node:util';
import type {
  APIGroupDiscovery,
  APIResourceDiscovery,
  APISubresourceDiscovery,
  APIVersionDiscovery,
} from '#shared/endpoints/discovery/api-group-discovery.ts';
import { mergeOrder } from './merge-order.ts';

type Groups = readonly APIGroupDiscovery[];

/**
 * The document of this server and those of its peers as one: the union of groups, versions and resources, and of verbs
 * and subresources where two servers differ about a resource. Servers are taken in the order of their ids, so that all
 * of them show the same (apiserver/pkg/endpoints/discovery/aggregated/peer_aggregated_handler.go).
 */
export function mergeDocuments(ownId: string, own: Groups, peers: ReadonlyMap<string, Groups>): Groups {
  if (peers.size === 0) return own;
  const documents = [...new Map(peers).set(ownId, own)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, groups]) => groups);
  const all = new Map<string, APIGroupDiscovery>();
  const orders: string[][] = [];
  let isChanged = false;
  for (const groups of documents) {
    for (const group of groups) {
      const name = nameOf(group);
      const known = all.get(name);
      const merged = known === undefined ? group : mergeGroups(known, group);
      if (known !== undefined && merged !== known) isChanged = true;
      all.set(name, merged);
    }
    orders.push(groups.map(nameOf));
  }
  const ownOrder = own.map(nameOf);
  const isSame = orders.every((order) => isDeepStrictEqual(order, ownOrder));
  if (isSame && !isChanged) return own;
  return inOrder(isSame ? ownOrder : mergeOrder(orders), all);
}

/** The first argument itself if the second has nothing else. */
function mergeGroups(a: APIGroupDiscovery, b: APIGroupDiscovery): APIGroupDiscovery {
  const versions = mergeNamed(a.versions, b.versions, ({ version }) => version, mergeVersions);
  return versions === a.versions ? a : { ...a, versions };
}

function mergeVersions(a: APIVersionDiscovery, b: APIVersionDiscovery): APIVersionDiscovery {
  const before = a.resources ?? [];
  const resources = mergeNamed(before, b.resources ?? [], ({ resource }) => resource, mergeResources);
  return resources === before ? a : { version: a.version, resources, freshness: a.freshness };
}

function mergeResources(a: APIResourceDiscovery, b: APIResourceDiscovery): APIResourceDiscovery {
  if (isDeepStrictEqual(a, b)) return a;
  const { subresources: _, ...merged } = { ...a, verbs: [...new Set([...a.verbs, ...b.verbs])].sort() };
  const subresources = new Map<string, APISubresourceDiscovery>();
  for (const one of [...(a.subresources ?? []), ...(b.subresources ?? [])]) subresources.set(one.subresource, one);
  if (subresources.size === 0) return merged;
  return { ...merged, subresources: inOrder([...subresources.keys()].sort(), subresources) };
}

/** Merges two lists by the names of their items; the first itself if the second adds and reorders nothing. */
function mergeNamed<T>(
  a: readonly T[],
  b: readonly T[],
  name: (item: T) => string,
  merge: (a: T, b: T) => T,
): readonly T[] {
  const all = new Map(a.map((item) => [name(item), item]));
  let isChanged = false;
  for (const item of b) {
    const known = all.get(name(item));
    const merged = known === undefined ? item : merge(known, item);
    if (known !== undefined && merged !== known) isChanged = true;
    all.set(name(item), merged);
  }
  const orders = [a.map(name), b.map(name)];
  const isSame = isDeepStrictEqual(orders[0], orders[1]);
  if (isSame && !isChanged) return a;
  return inOrder(isSame ? a.map(name) : mergeOrder(orders), all);
}

function inOrder<T>(names: readonly string[], all: ReadonlyMap<string, T>): T[] {
  return [...new Set(names)].flatMap((name) => {
    const item = all.get(name);
    return item === undefined ? [] : [item];
  });
}

function nameOf({ metadata: { name = '' } }: APIGroupDiscovery): string {
  return name;
}
