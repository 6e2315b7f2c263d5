import { compareSemanticVersions, type SemanticVersion } from '#shared/apimachinery/values/semantic-version.ts';
import type { Candidate } from './candidate.ts';

/** The only strategy by which this server chooses; others, with a domain, are for controllers of their own. */
export const oldestEmulationVersion = 'OldestEmulationVersion';

/**
 * The strategy of the candidates with the newest binary.
 * @throws Error if these differ, or without candidates
 */
export function chooseStrategy([first, ...others]: readonly Candidate[]): string {
  if (first === undefined) throw new Error('no candidates');
  let best = first;
  for (const other of others) {
    const order = compareSemanticVersions(versionOrZero(other.binary), versionOrZero(best.binary));
    if (order > 0) best = other;
    else if (order === 0 && other.strategy !== best.strategy)
      throw new Error(
        `candidates ${JSON.stringify(best.name)} and ${JSON.stringify(other.name)} have the same binary version and different strategies, ${best.strategy} and ${other.strategy}`,
      );
  }
  return best.strategy;
}

/**
 * The candidate with the oldest emulated version, then with the oldest binary, then the one that has been there
 * longest; undefined if none has valid versions.
 */
export function chooseLeader(candidates: readonly Candidate[]): Candidate | undefined {
  let best: Candidate | undefined;
  for (const candidate of candidates) {
    if (candidate.emulation === undefined || candidate.binary === undefined) continue;
    if (best === undefined || isBetter(candidate, best)) best = candidate;
  }
  return best;
}

function isBetter(candidate: Candidate, best: Candidate): boolean {
  const order =
    compareSemanticVersions(versionOrZero(candidate.emulation), versionOrZero(best.emulation)) ||
    compareSemanticVersions(versionOrZero(candidate.binary), versionOrZero(best.binary));
  return order === 0 ? candidate.createdMs < best.createdMs : order < 0;
}

const zero: SemanticVersion = { numbers: [0n, 0n, 0n], prerelease: [] };

function versionOrZero(version: SemanticVersion | undefined): SemanticVersion {
  return version ?? zero;
}
