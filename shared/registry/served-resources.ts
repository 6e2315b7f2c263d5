import type { Facts, ResourceFacts } from '#shared/api/facts.ts';
import type { FeatureGates } from '#shared/api/feature-gates.ts';
import { formatGroupVersion } from '#shared/apimachinery/gvk.ts';
import { compareReleases, type Release } from '#shared/apimachinery/release-version.ts';
import { compareVersions } from '#shared/apimachinery/version-order.ts';
import { runtimeWords, type RuntimeConfig, type RuntimeWords } from './runtime-config.ts';

/** The flags that decide which resources a server serves. */
export interface ServingChoice {
  readonly runtimeConfig: RuntimeConfig;
  readonly gates: FeatureGates;
  /** Resources that were introduced after this release are not served. */
  readonly emulation: Release;
  /**
   * If a version of a resource is served, newer versions of it are served, too, whenever they were introduced; alpha
   * versions do not count.
   */
  readonly forwardCompatible: boolean;
  /** Versions and resources that the configuration names are served, whenever they were introduced. */
  readonly forwardCompatibleByName: boolean;
}

export interface ServedResources {
  has(resource: Pick<ResourceFacts, 'group' | 'version' | 'resource'>): boolean;
  /** Errors in the words of the reference; a server with any error does not start. */
  readonly errors: readonly string[];
}

/**
 * Chooses the served resources by `--runtime-config` and related flags
 * (apiserver/pkg/server/{resourceconfig,deleted_kinds.go}).
 */
export function servedResources(facts: Facts, choice: ServingChoice): ServedResources {
  const words = runtimeWords(choice.runtimeConfig);
  const names = new Set<string>();
  const errors: string[] = [];
  for (const { versions } of facts.groups()) {
    const enabled = new EnabledInGroup(
      versions.flatMap((version) => version.resources),
      words,
      choice,
    );
    const oldestFirst = versions.toSorted((a, b) => compareVersions(b.version, a.version));
    const kept = new Set<string>();
    for (const version of oldestFirst) {
      const installed = version.resources.filter(
        (resource) =>
          !isRemoved(resource, choice) &&
          enabled.isEnabled(resource) &&
          (resource.gate === undefined || choice.gates.isEnabled(resource.gate)),
      );
      const served = installed.filter(
        (resource) =>
          isIntroduced(resource, choice) ||
          (choice.forwardCompatible && kept.has(resource.resource)) ||
          (choice.forwardCompatibleByName && isNamed(words, resource)),
      );
      for (const resource of served) {
        names.add(nameOf(resource));
        if (!isAlpha(resource.version)) kept.add(resource.resource);
      }
      errors.push(
        ...tooNew(
          words,
          installed.filter((resource) => !names.has(nameOf(resource))),
          served.length > 0,
          choice.emulation,
        ),
      );
    }
  }
  return { has: (resource) => names.has(nameOf(resource)), errors };
}

function nameOf({ group, version, resource }: Pick<ResourceFacts, 'group' | 'version' | 'resource'>): string {
  return `${group}/${version}/${resource}`;
}

/** The resources that are enabled in a group, before those are left out that the emulated release does not have. */
class EnabledInGroup {
  readonly #resources: readonly ResourceFacts[];
  readonly #words: RuntimeWords;
  readonly #choice: ServingChoice;

  constructor(resources: readonly ResourceFacts[], words: RuntimeWords, choice: ServingChoice) {
    this.#resources = resources;
    this.#words = words;
    this.#choice = choice;
  }

  isEnabled(resource: ResourceFacts): boolean {
    const said = this.#words.resource(resource) ?? this.#words.version(resource);
    if (said !== undefined) return said;
    return (
      (this.#choice.forwardCompatible && this.#resources.some((older) => this.#bringsAlong(older, resource))) ||
      (this.#words.stage(resource) ?? resource.enabledByDefault)
    );
  }

  /**
   * Whether an enabled older version enables this resource: an enabled version enables all resources of newer versions,
   * an enabled resource only the same resource.
   */
  #bringsAlong(older: ResourceFacts, resource: ResourceFacts): boolean {
    if (isAlpha(older.version) || compareVersions(resource.version, older.version) >= 0) return false;
    const version = this.#words.version(older) ?? this.#words.stage(older) ?? older.enabledByDefault;
    return version || (older.resource === resource.resource && this.#words.resource(older) === true);
  }
}

function isIntroduced({ introducedIn }: ResourceFacts, { emulation }: ServingChoice): boolean {
  return introducedIn === undefined || compareReleases(introducedIn, emulation) <= 0;
}

/** Whether the resource is removed in the emulated release; then no flag enables it. */
function isRemoved({ removedIn }: ResourceFacts, { emulation }: ServingChoice): boolean {
  return removedIn !== undefined && compareReleases(removedIn, emulation) <= 0;
}

function isNamed(words: RuntimeWords, resource: ResourceFacts): boolean {
  return words.resource(resource) === true || words.version(resource) === true;
}

function isAlpha(version: string): boolean {
  return /^v\d+alpha\d+$/.test(version);
}

/**
 * Errors for resources of one version that the configuration names but that were introduced after the emulated release.
 */
function tooNew(
  words: RuntimeWords,
  dropped: readonly ResourceFacts[],
  anyLeft: boolean,
  emulation: Release,
): string[] {
  const hint = 'Consider setting --runtime-config-emulation-forward-compatible=true';
  const named = dropped
    .filter((resource) => words.resource(resource) === true)
    .map(
      ({ group, version, resource, introducedIn }) =>
        `cannot enable resource ${group}/${version}, Resource=${resource} in runtime-config because it is introduced at ${introducedIn} after the current version ${emulation}. ${hint}`,
    );
  const [first] = dropped;
  if (named.length > 0 || first === undefined || anyLeft || words.version(first) !== true) return named;
  return [
    `cannot enable version ${formatGroupVersion(first)} in runtime-config because all the resources have been introduced after the current version ${emulation}. ${hint}`,
  ];
}
