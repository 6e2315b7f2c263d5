import { formatGroupVersion, type GroupVersion } from '#shared/apimachinery/gvk.ts';
import { parseBool } from '#shared/apimachinery/text/parse-bool.ts';

/**
 * `--runtime-config`: keys `api/all`, `api/beta`, `apps/v1`, `v1`, `apps/v1/deployments`; values `true`, `false`, or
 * nothing for true.
 */
export type RuntimeConfig = Readonly<Record<string, string>>;

/** Whether a configuration enables or disables a version or resource; undefined if it does neither. */
export interface RuntimeWords {
  /** By a key for the version itself. */
  version(version: GroupVersion): boolean | undefined;
  /** By the key for the stage of the version, `api/alpha`, `api/beta` or `api/ga`, or else by `api/all`. */
  stage(version: GroupVersion): boolean | undefined;
  /** By a key for the resource itself. */
  resource(resource: GroupVersion & { readonly resource: string }): boolean | undefined;
}

const stages: Readonly<Record<string, RegExp>> = {
  'api/ga': /^v\d+$/,
  'api/beta': /^v\d+beta\d+$/,
  'api/alpha': /^v\d+alpha\d+$/,
};

/** Reads a configuration for which {@link runtimeConfigErrors} returns no error. */
export function runtimeWords(config: RuntimeConfig): RuntimeWords {
  const words = new Map(Object.entries(plainKeys(config)).map(([key, value]) => [key, isOn(value) === true]));
  const stage = ({ version }: GroupVersion): boolean | undefined => {
    const own = Object.entries(stages).find(([, pattern]) => pattern.test(version))?.[0] ?? '';
    return words.get(own) ?? words.get('api/all');
  };
  return {
    version: ({ group, version }) => words.get(`${group}/${version}`),
    stage,
    resource: ({ group, version, resource }) => words.get(`${group}/${version}/${resource}`),
  };
}

/** The errors with which a server would not start, in the reference's words (apiserver/pkg/server/resourceconfig). */
export function runtimeConfigErrors(config: RuntimeConfig, registered: readonly GroupVersion[]): string[] {
  const entries = Object.entries(plainKeys(config));
  if (entries.length === 1 && config['api/all'] === 'false') return ['invalid runtime-config with only api/all=false'];
  const unknown: string[] = [];
  const errors = entries.flatMap(([key, value]) => {
    if (isStage(key)) return value === 'true' || value === 'false' ? [] : [`invalid value ${key}=${value}`];
    const [group = '', version = '', resource = '', ...more] = key.split('/');
    if (!key.includes('/') || more.length > 0) return [`runtime-config invalid key ${key}`];
    if (!registered.some((known) => known.group === group)) {
      unknown.push(formatGroupVersion({ group, version }));
      return [];
    }
    if (!registered.some((known) => known.group === group && known.version === version))
      return [`group version ${formatGroupVersion({ group, version })} that has not been registered`];
    if (isOn(value) === undefined)
      return [
        `invalid value of ${key}: ${value}, err: strconv.ParseBool: parsing ${JSON.stringify(value)}: invalid syntax`,
      ];
    return resource === resource.toLowerCase()
      ? []
      : [
          `invalid key ${key}: group/version/resource and resource is always lowercase plural, not ${JSON.stringify(resource)}`,
        ];
  });
  return [
    ...(unknown.length === 0 ? [] : [`unknown api groups ${[...new Set(unknown)].toSorted().join(',')}`]),
    ...errors,
  ];
}

/** A key without a value means true. */
function isOn(value: string): boolean | undefined {
  return value === '' || parseBool(value);
}

function isStage(key: string): boolean {
  return key === 'api/all' || Object.hasOwn(stages, key);
}

/**
 * Replaces the short form of keys for the core group by its empty group name. As upstream, resources of the core group
 * have no short form: `v1/pods` names the version.
 */
function plainKeys(config: RuntimeConfig): RuntimeConfig {
  const entries = Object.entries(config).filter(([key]) => key !== 'api/legacy');
  return Object.fromEntries(entries.map(([key, value]) => [/^(api\/)?v1(\/|$)/.test(key) ? '/v1' : key, value]));
}
