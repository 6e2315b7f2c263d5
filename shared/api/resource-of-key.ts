import type { Facts } from '#shared/api/facts.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';

/**
 * Which resource a key in storage is of: `/services/specs/default/a` of Services. Undefined for keys of no resource,
 * which are never encrypted: allocated ranges, and leases of API servers (their storage has no transformer in
 * pkg/controlplane/instance.go and pkg/registry/core/rest/storage_core.go).
 */
export class ResourceOfKey {
  readonly #byPrefix = new Map<string, GroupResource>();

  constructor(facts: Facts) {
    const resources = facts.groups().flatMap(({ versions }) => versions.flatMap((version) => version.resources));
    for (const { group, resource, storageVersion, storagePrefix } of resources) {
      if (storageVersion === '') continue;
      // Events are of two groups, and stored as those of the core group.
      if (group === '' || !this.#byPrefix.has(storagePrefix)) this.#byPrefix.set(storagePrefix, { group, resource });
    }
  }

  /** @param key of an object, or the prefix of all of a resource or namespace */
  find(key: string): GroupResource | undefined {
    const end = key.indexOf('/', 1);
    const first = key.slice(1, end < 0 ? undefined : end);
    const known = this.#byPrefix.get(first);
    if (known !== undefined || end < 0) return known;
    const secondEnd = key.indexOf('/', end + 1);
    const both = key.slice(1, secondEnd < 0 ? undefined : secondEnd);
    return this.#byPrefix.get(both) ?? ofCustomResource(first, both.slice(first.length + 1));
  }
}

/** Groups of custom resources have a point in their names, and no other prefix does. */
function ofCustomResource(group: string, resource: string): GroupResource | undefined {
  return group.includes('.') && resource !== '' ? { group, resource } : undefined;
}
