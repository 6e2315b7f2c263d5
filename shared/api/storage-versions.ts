import { createHash } from 'node:crypto';
import { formatGroupVersion } from '#shared/apimachinery/gvk.ts';
import { compareReleases, ownRelease, releaseBefore, type Release } from '#shared/apimachinery/release-version.ts';
import type { Facts, ResourceFacts } from './facts.ts';
import { mapFacts } from './map-facts.ts';

/** The default `--min-compatibility-version`; the recorded facts have the storage versions for it. */
const recordedFor = releaseBefore(ownRelease);

/**
 * The facts with each resource stored in the best version that servers of an older release know as well
 * (apiserver/pkg/server/storage/resource_encoding_config.go). Objects have the same shape in both versions.
 */
export function storedFor(facts: Facts, minCompatibility: Release): Facts {
  if (minCompatibility === recordedFor) return facts;
  return mapFacts(facts, (resource) => {
    // The reference names alpha and beta storage versions explicitly: they stay.
    if (!/\bv\d+$/.test(resource.storageVersion)) return resource;
    const [usual, wanted] = [bestVersion(facts, resource, recordedFor), bestVersion(facts, resource, minCompatibility)];
    if (wanted === undefined || wanted === usual || usual !== resource.storageVersion) return resource;
    return { ...resource, storageVersion: wanted, storageVersionHash: storageVersionHash(wanted, resource.kind) };
  });
}

/** The version with the highest priority among those that the release already had. */
function bestVersion(facts: Facts, { group, resource }: ResourceFacts, release: Release): string | undefined {
  const versions = facts.groups().find(({ name }) => name === group)?.versions ?? [];
  const known = versions
    .flatMap(({ resources }) => resources)
    .find(
      (other) =>
        other.resource === resource &&
        (other.introducedIn === undefined || compareReleases(other.introducedIn, release) <= 0),
    );
  return known === undefined ? undefined : formatGroupVersion(known);
}

/** The hash of a storage version that discovery shows (apiserver/pkg/endpoints/discovery/storageversionhash.go). */
function storageVersionHash(version: string, kind: string): string {
  return createHash('sha256').update(`${version}/${kind}`).digest().subarray(0, 8).toString('base64');
}
