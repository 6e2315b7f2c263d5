import type { Facts, ResourceFacts } from '../../api/facts.ts';
import type { RegisteredVersion } from './api-group-discovery.ts';

/**
 * The built-in group versions with the resources that `serves` lets through, in the order of discovery; empty ones are
 * left out.
 */
export function registeredVersions(facts: Facts, serves: (resource: ResourceFacts) => boolean): RegisteredVersion[] {
  return facts
    .groups()
    .flatMap((group) => group.versions)
    .map(({ group, version, resources }) => ({ group, version, resources: resources.filter(serves) }))
    .filter(({ resources }) => resources.length > 0);
}
