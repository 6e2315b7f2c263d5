import type { RestResources } from '../../shared/registry/create-rest-resources.ts';
import { BackendReporter } from '../../shared/server/backend-reporter.ts';
import type { ServedGroupVersion } from '../../shared/server/control-stream.ts';
import type { HealthChecks } from '../../shared/server/health.ts';

/** What this server tells the gateways: its group versions are settled at the start. */
export class CoreState extends BackendReporter {
  constructor(rest: RestResources, health: HealthChecks) {
    super('core', servedVersions(rest), health);
  }
}

function servedVersions(rest: RestResources): ServedGroupVersion[] {
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
