import type { StrategyDependencies } from '#servers/core/apis/contract/built-in-resource.ts';
import type { Gates } from '#servers/core/gates/gates.ts';
import { ExpressionCompilers } from '#servers/core/validation/expressions.ts';
import { resolveFeatureGates } from '#shared/api/feature-gates.ts';
import { ownRelease, releaseBefore, type Release } from '#shared/apimachinery/release-version.ts';

/** The feature gates of this release without `--feature-gates`. */
export const defaultGates: Gates = resolveFeatureGates(
  {},
  { emulation: ownRelease, minCompatibility: releaseBefore(ownRelease) },
).record();

/** Compilers of expressions that must be compatible with a release, by default the previous one. */
export function expressionsOf(release: Release = releaseBefore(ownRelease)): ExpressionCompilers {
  return new ExpressionCompilers(release, defaultGates);
}

/** Strategy parts with the defaults of flags, for tests of rules that do not need other resources. */
export const defaultDependencies = {
  gates: defaultGates,
  allowPrivileged: false,
  expressions: expressionsOf(),
  eventTtlSeconds: 3600,
} as StrategyDependencies;
