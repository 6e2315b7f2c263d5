import type { Facts, ResourceFacts } from '../../shared/api/facts.ts';

export const extensionsGroup = 'apiextensions.k8s.io';
export const definitionsResource = 'customresourcedefinitions';
/** In which this server holds definitions, whatever form they have in etcd. */
const heldVersion = `${extensionsGroup}/v1`;

/**
 * The facts with definitions held in v1: the reference stores them as v1beta1, a form that is served no more and that is
 * made only for etcd (see `crds/stored-definition.ts`).
 */
export function extensionFacts(facts: Facts): Facts {
  const held = (resource: ResourceFacts): ResourceFacts =>
    resource.group === extensionsGroup && resource.storageVersion !== '' ? { ...resource, storageVersion: heldVersion } : resource;
  const own = facts.groups().map((group) => group.name !== extensionsGroup ? group : {
    ...group,
    versions: group.versions.map((version) => ({ ...version, resources: version.resources.map(held) })),
  });
  const optional = (resource: ResourceFacts | undefined): ResourceFacts | undefined => (resource === undefined ? undefined : held(resource));
  return {
    groups: () => own,
    registeredVersions: () => facts.registeredVersions(),
    resource: (group, version, resource) => optional(facts.resource(group, version, resource)),
    byKind: (group, version, kind) => optional(facts.byKind(group, version, kind)),
    schema: (group, version, kind) => facts.schema(group, version, kind),
    model: (name) => facts.model(name),
  };
}
