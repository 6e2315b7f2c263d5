import { resolveFeatureGates } from '../../../shared/api/feature-gates.ts';
import { ownRelease, releaseBefore, type Release } from '../../../shared/apimachinery/release-version.ts';
import type { StrategyParts } from '../apis/contract/built-in-resource.ts';
import type { Gates } from '../gates/gates.ts';
import { ExpressionCompilers } from '../validation/expressions.ts';

/** Gates of a server of this release without `--feature-gates`. */
export const defaultGates: Gates = resolveFeatureGates(
  {},
  { emulation: ownRelease, minCompatibility: releaseBefore(ownRelease) },
).record();

/** Compilers of expressions that have to work with a release, by default the one before this. */
export function expressionsOf(release: Release = releaseBefore(ownRelease)): ExpressionCompilers {
  return new ExpressionCompilers(release, defaultGates);
}

/** For tests of rules that ask nothing of other resources: what flags say by default. */
export const defaultParts = {
  gates: defaultGates,
  allowPrivileged: false,
  expressions: expressionsOf(),
  eventTtlSeconds: 3600,
} as StrategyParts;
