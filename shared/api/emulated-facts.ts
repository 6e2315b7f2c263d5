import { compareReleases, ownRelease } from '#shared/apimachinery/release-version.ts';
import type { Facts } from './facts.ts';
import type { EffectiveVersion } from './feature-gates.ts';
import { mapFacts } from './map-facts.ts';
import { storedFor } from './storage-versions.ts';

/**
 * The facts adjusted to the emulated release (deprecations) and to the oldest compatible release (storage versions).
 */
export function factsAsOf(facts: Facts, { emulation, minCompatibility }: EffectiveVersion): Facts {
  const stored = storedFor(facts, minCompatibility);
  if (emulation === ownRelease) return stored;
  return mapFacts(stored, (resource) => {
    const { deprecatedIn, ...rest } = resource;
    return deprecatedIn !== undefined && compareReleases(deprecatedIn, emulation) > 0 ? rest : resource;
  });
}
