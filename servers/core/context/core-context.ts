import type { KubeObject } from '../../../shared/apimachinery/object.ts';
import type { ResourceStore } from '../../../shared/registry/resource-store.ts';
import type { ResourceCaches } from '../../../shared/registry/resource-caches.ts';
import type { Storage } from '../../../shared/storage/storage.ts';

/** What strategies and subresources of this server may reach beyond their own object. */
export interface CoreContext {
  readonly storage: Storage;
  readonly caches: ResourceCaches;
  /** The store of a resource of this server. Throws for one that is not stored. */
  store(group: string, resource: string): ResourceStore;
  /**
   * Sets the defaults of an object that this server makes in the storage version, as a client's request has them set.
   */
  setDefaults(group: string, resource: string, object: KubeObject): void;
}
