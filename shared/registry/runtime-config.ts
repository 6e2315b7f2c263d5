import type { ResourceFacts } from '../api/facts.ts';
import { formatGroupVersion, type GroupVersion } from '../apimachinery/gvk.ts';

/** `--runtime-config`: keys `api/all`, `api/beta`, `apps/v1`, `v1`, `apps/v1/deployments`; values `true` and `false`. */
export type RuntimeConfig = Readonly<Record<string, string>>;

type Stability = 'api/alpha' | 'api/beta' | 'api/ga';

/** Whether a resource is served: the most particular word on it counts, else the default of the facts. */
export function isResourceEnabled(config: RuntimeConfig, facts: ResourceFacts): boolean {
  const name = formatGroupVersion(facts);
  return word(config, `${name}/${facts.resource}`) ?? versionWord(config, facts) ?? facts.enabledByDefault;
}

function versionWord(config: RuntimeConfig, version: GroupVersion): boolean | undefined {
  const name = formatGroupVersion(version);
  return word(config, name) ?? word(config, `api/${name}`) ?? word(config, stabilityOf(version.version)) ?? word(config, 'api/all');
}

function word(config: RuntimeConfig, key: string): boolean | undefined {
  if (!Object.hasOwn(config, key)) return undefined;
  // `--runtime-config=batch/v1` without a value turns it on.
  return !['false', '0', 'f', 'F', 'FALSE', 'False'].includes(config[key] ?? '');
}

function stabilityOf(version: string): Stability {
  if (version.includes('alpha')) return 'api/alpha';
  return version.includes('beta') ? 'api/beta' : 'api/ga';
}
