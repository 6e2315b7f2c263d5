import type { CoreContext } from '#servers/core/context/core-context.ts';
import { followPrefix, type PrefixFollower } from '#shared/follow/follow-prefix.ts';
import { storageOf } from '#shared/storage/create/partitioned-storage.ts';

export interface StoredObjects {
  readonly group: string;
  readonly resource: string;
  /** The name of one object; undefined for all objects of the resource. */
  readonly name?: string;
  readonly namespace?: string;
}

/** Calls `onChange` now and whenever a stored object changes, in the etcd that stores its resource. */
export function followStored(
  core: Pick<CoreContext, 'storage' | 'store'>,
  { group, resource, name, namespace = '' }: StoredObjects,
  onChange: () => void,
  onError: (error: unknown) => void,
): PrefixFollower {
  const store = core.store(group, resource);
  return followPrefix({
    storage: storageOf(core.storage, store.facts.storagePrefix),
    prefix: store.key(namespace, name),
    onChange,
    onError,
  });
}
