import type { Facts } from '../../shared/api/facts.ts';
import { isResourceEnabled, type RuntimeConfig } from '../../shared/registry/runtime-config.ts';
import { BackendReporter } from '../../shared/server/backend-reporter.ts';
import type { ServedGroupVersion } from '../../shared/server/control-stream.ts';
import type { HealthChecks } from '../../shared/server/health.ts';

/** What this server tells the gateways: its group versions are settled at the start. */
export class CoreState extends BackendReporter {
  constructor(facts: Facts, serves: (group: string) => boolean, config: RuntimeConfig, health: HealthChecks) {
    super('core', servedVersions(facts, serves, config), health);
  }
}

function servedVersions(facts: Facts, serves: (group: string) => boolean, config: RuntimeConfig): ServedGroupVersion[] {
  return facts.groups().filter(({ name }) => serves(name)).flatMap((group) =>
    group.versions
      .filter(({ resources }) => resources.some((resource) => isResourceEnabled(config, resource)))
      .map(({ version, versionPriority }) => ({ group: group.name, version, groupPriority: group.groupPriority, versionPriority })));
}
