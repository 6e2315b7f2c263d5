import type { Facts, ResourceFacts } from '#shared/api/facts.ts';
import type { RestResources } from '#shared/registry/create-rest-resources.ts';

/** A built-in group version with its resources. */
export interface BuiltInVersion {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly ResourceFacts[];
}

/**
 * The built-in group versions with the resources for which `serves` is true, in the order of discovery; versions
 * without resources are left out.
 */
export function registeredVersions(facts: Facts, serves: (resource: ResourceFacts) => boolean): BuiltInVersion[] {
  return facts
    .groups()
    .flatMap((group) => group.versions)
    .map(({ group, version, resources }) => ({ group, version, resources: resources.filter(serves) }))
    .filter(({ resources }) => resources.length > 0);
}

/** The group versions and resources that a server serves. */
export function versionsServedBy(rest: Pick<RestResources, 'facts' | 'serves'>): BuiltInVersion[] {
  return registeredVersions(rest.facts, ({ group, version, resource }) => rest.serves(group, version, resource));
}
