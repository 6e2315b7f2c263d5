import { ownRelease, releaseBefore, type Release } from '../../../shared/apimachinery/release-version.ts';

let release = releaseBefore(ownRelease);

/** Settles once, at the start, which release new rules have to work with (`--min-compatibility-version`). */
export function useRulesOf(minCompatibility: Release): void {
  release = minCompatibility;
}

/** The minor version of the oldest release that has to be able to read new rules. */
export function minorOfRules(): number {
  return Number(release.split('.')[1]);
}
