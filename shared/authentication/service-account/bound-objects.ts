import type { KubeObject } from '#shared/apimachinery/object.ts';
import { storageOf } from '#shared/storage/create/partitioned-storage.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { DeletionWatch, type DeletionListener } from './deletion-watch.ts';

export type BoundResource = 'serviceaccounts' | 'secrets' | 'pods' | 'nodes';

/** Reads an object to which a token is bound; undefined if there is none. `namespace` is empty for nodes. */
export type ReadBoundObject = (
  resource: BoundResource,
  namespace: string,
  name: string,
) => Promise<KubeObject | undefined>;

/** The objects to which tokens are bound. */
export interface TokenObjects {
  readonly read: ReadBoundObject;
  /** Begins to tell of deletions; keys are those of {@link boundObjectKey}. */
  follow(listener: DeletionListener): FollowedDeletions;
}

export interface FollowedDeletions {
  /** Whether every deletion that is older than a second was told. */
  readonly isCurrent: boolean;
  close(): void;
}

const storagePrefixes: Readonly<Record<BoundResource, string>> = {
  serviceaccounts: 'serviceaccounts',
  secrets: 'secrets',
  pods: 'pods',
  nodes: 'minions',
};

/** The key of an object in storage; undefined for names that no object has. */
export function boundObjectKey(resource: BoundResource, namespace: string, name: string): string | undefined {
  if (name === '' || name.includes('/') || namespace.includes('/')) return undefined;
  const prefix = storagePrefixes[resource];
  return resource === 'nodes' ? `/${prefix}/${name}` : `/${prefix}/${namespace}/${name}`;
}

/**
 * Reads single objects from storage and watches their deletions alone, so that no process has to keep all secrets and
 * pods to check tokens.
 */
export function tokenObjectsOf(storage: Storage, decode: (value: Uint8Array) => KubeObject): TokenObjects {
  return {
    async read(resource, namespace, name) {
      const key = boundObjectKey(resource, namespace, name);
      if (key === undefined) return undefined;
      const { kv } = await storage.get(key);
      return kv && decode(kv.value);
    },
    follow(listener) {
      const watches = Object.values(storagePrefixes).map(
        (prefix) => new DeletionWatch(storageOf(storage, prefix), `/${prefix}/`, listener),
      );
      return {
        get isCurrent() {
          return watches.every((watch) => watch.isCurrent);
        },
        close() {
          for (const watch of watches) watch.close();
        },
      };
    },
  };
}
