import type { Count } from '#shared/observability/metrics/counter.ts';
import { processRegistry } from '#shared/observability/metrics/process-registry.ts';
import type { CachedResource } from './cache-metrics.ts';

/** apiserver/pkg/storage/etcd3/metrics */
const names = ['group', 'resource'];
const prefix = 'apiserver_storage_list_';
const helps = {
  total: 'Number of LIST requests served from storage',
  fetched_objects_total: 'Number of objects read from storage in the course of serving a LIST request',
  evaluated_objects_total: 'Number of objects tested in the course of serving a LIST request from storage',
  returned_objects_total: 'Number of objects returned for a LIST request from storage',
} as const;
const families = Object.entries(helps).map(([name, help]) =>
  processRegistry.counter(prefix + name, `[ALPHA] ${help}`, names),
);

/**
 * Lists of one resource that were read from etcd. Shown from the first one on. As in the reference, learning the newest
 * revision for a list or a watch counts as a list without objects (GetCurrentResourceVersion in etcd3/store.go).
 */
export class StorageLists {
  readonly #resource: CachedResource;
  #counts: readonly Count[] | undefined;

  constructor(resource: CachedResource) {
    this.#resource = resource;
  }

  add(objects: number): void {
    const { group, resource } = this.#resource;
    this.#counts ??= families.map((family) => family.of(group, resource));
    const [total, ...perObject] = this.#counts;
    if (total !== undefined) total.value++;
    for (const count of perObject) count.value += objects;
  }
}
