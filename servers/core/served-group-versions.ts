import type { ServedGroupVersion } from '#shared/process/control-stream.ts';
import type { RestResources } from '#shared/registry/create-rest-resources.ts';

/** The group versions that this server announces to the gateways; fixed at the start. */
export function coreGroupVersions(rest: RestResources): ServedGroupVersion[] {
  return rest.facts.groups().flatMap((group) =>
    group.versions
      .filter(({ version }) => rest.hasGroupVersion(group.name, version))
      .map(({ version, versionPriority }) => ({
        group: group.name,
        version,
        groupPriority: group.groupPriority,
        versionPriority,
      })),
  );
}
