import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { ResourceCaches } from '#shared/registry/resource-caches.ts';
import type { ResourceStore } from '#shared/registry/resource-store.ts';
import type { Storage } from '#shared/storage/storage.ts';

/** What strategies and subresources of this server can use besides their own object. */
export interface CoreContext {
  readonly storage: Storage;
  readonly caches: ResourceCaches;
  /** The store of a resource of this server. Throws for one that is not stored. */
  store(group: string, resource: string): ResourceStore;
  /**
   * Sets the defaults of an object in the storage version that this server creates, as for an object from a client.
   */
  setDefaults(group: string, resource: string, object: KubeObject): void;
}
