import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { Storage } from '#shared/storage/storage.ts';

export type BoundResource = 'serviceaccounts' | 'secrets' | 'pods' | 'nodes';

/** Reads an object to which a token is bound; undefined if there is none. `namespace` is empty for nodes. */
export type ReadBoundObject = (
  resource: BoundResource,
  namespace: string,
  name: string,
) => Promise<KubeObject | undefined>;

/** Reads single objects from storage, so that no process has to watch all secrets and pods to check tokens. */
export function readBoundObjectsFrom(storage: Storage, decode: (value: Uint8Array) => KubeObject): ReadBoundObject {
  return async (resource, namespace, name) => {
    if (name === '' || name.includes('/') || namespace.includes('/')) return undefined;
    const key = resource === 'nodes' ? `/minions/${name}` : `/${resource}/${namespace}/${name}`;
    const { kv } = await storage.get(key);
    return kv && decode(kv.value);
  };
}
