import type { Facts, ResourceFacts } from './facts.ts';

/** Facts with `change` applied to every resource. All look-ups of a resource return the same object. */
export function mapFacts(facts: Facts, change: (resource: ResourceFacts) => ResourceFacts): Facts {
  const groups = facts.groups().map((group) => ({
    ...group,
    versions: group.versions.map((version) => ({ ...version, resources: version.resources.map(change) })),
  }));
  const all = groups.flatMap(({ versions }) => versions).flatMap(({ resources }) => resources);
  const byResource = new Map(
    all.map((resource) => [`${resource.group}/${resource.version}/${resource.resource}`, resource]),
  );
  const byKind = new Map(all.map((resource) => [`${resource.group}/${resource.version}/${resource.kind}`, resource]));
  return {
    groups: () => groups,
    registeredVersions: () => facts.registeredVersions(),
    resource: (group, version, resource) => byResource.get(`${group}/${version}/${resource}`),
    byKind: (group, version, kind) => byKind.get(`${group}/${version}/${kind}`),
    schema: (group, version, kind) => facts.schema(group, version, kind),
    model: (name) => facts.model(name),
  };
}
