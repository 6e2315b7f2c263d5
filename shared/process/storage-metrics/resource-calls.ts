import type { Facts } from '#shared/api/facts.ts';
import { ResourceOfKey } from '#shared/api/resource-of-key.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { TupleMap } from '#shared/apimachinery/tuple-map.ts';
import { StorageCalls, type CallOperation } from '#shared/watchcache/storage-calls.ts';
import { StorageLists } from '#shared/watchcache/storage-lists.ts';

/** What lies in storage and is no object, by the first segment of its keys, as the reference names it. */
const others: ReadonlyMap<string, string> = new Map([
  // pkg/controlplane/instance.go
  ['masterleases', 'apiServerIPInfo'],
  // pkg/controlplane/apiserver/peer.go
  ['peerserverleases', 'apiServerPeerIPInfo'],
  // pkg/registry/core/rest/storage_core.go
  ['ranges', 'servicenodeportallocations'],
]);
/** Resources that are kept: as many as a family shows series. */
const maxResources = 10_000;

/** The calls of one resource. */
export class ResourceCalls {
  readonly lists: StorageLists;
  readonly #resource: GroupResource;
  readonly #byOperation = new Map<CallOperation, StorageCalls>();

  constructor(resource: GroupResource) {
    this.#resource = resource;
    this.lists = new StorageLists(resource);
  }

  of(operation: CallOperation): StorageCalls {
    let calls = this.#byOperation.get(operation);
    if (calls === undefined) this.#byOperation.set(operation, (calls = new StorageCalls(operation, this.#resource)));
    return calls;
  }
}

/** Finds the calls of the resource of a key, which every storage of the process counts in. */
export function callsByKey(facts: Facts): (key: string) => ResourceCalls {
  let resources: ResourceOfKey | undefined;
  const byResource = new TupleMap<ResourceCalls>(2);
  return (key) => {
    resources ??= new ResourceOfKey(facts);
    const resource = resources.find(key) ?? otherAt(key);
    const name = [resource.group, resource.resource];
    let calls = byResource.get(name);
    if (calls === undefined) {
      calls = new ResourceCalls(resource);
      if (byResource.size < maxResources) byResource.set(name, calls);
    }
    return calls;
  };
}

function otherAt(key: string): GroupResource {
  const end = key.indexOf('/', 1);
  return { group: '', resource: others.get(key.slice(1, end < 0 ? undefined : end)) ?? '' };
}
