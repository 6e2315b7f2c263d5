import { getKey } from '#shared/apimachinery/json/json.ts';
import { compareReleases, type Release } from '#shared/apimachinery/release-version.ts';
import { parseBool } from '#shared/apimachinery/text/parse-bool.ts';
import { readGen } from './gen-folder.ts';
import type { FeatureGatesFile, GateStage } from './gen-format.ts';
import type gatesFile from './gen/feature-gates.json';

/** Every gate of the releases that can be emulated. */
export type GateName = keyof typeof gatesFile.gates;

/** The emulated release and the oldest compatible release (KEP-4330). */
export interface EffectiveVersion {
  /** `--emulated-version`: the served APIs and the enabled gates are those of this release. */
  readonly emulation: Release;
  /** `--min-compatibility-version`: the oldest release of another server of the control plane. */
  readonly minCompatibility: Release;
}

export interface FeatureGates {
  /** False for names that no release has. */
  isEnabled(gate: string): boolean;
}

/** A gate as the emulated release knows it. */
export interface GateState {
  readonly name: string;
  /** `alpha`, `beta`, `deprecated`; empty for general availability. */
  readonly stage: string;
  readonly enabled: boolean;
}

export interface ResolvedFeatureGates {
  readonly gates: FeatureGates;
  /** All gates as a plain record; those that the emulated release does not have are off. */
  record(): Readonly<Record<GateName, boolean>>;
  /** All gates of the release. */
  list(): GateState[];
  /** In the reference's words. If there are errors, the given gates must not be used. */
  readonly errors: readonly string[];
}

/** The stage of a gate before the release that introduced it (component-base/featuregate). */
const unborn: GateStage = ['0.0', false, 'pre-alpha'];

/** `AllAlpha` and `AllBeta` set all gates of their stage that are not set by name. */
const ofStage: Readonly<Record<string, string>> = { AllAlpha: 'alpha', AllBeta: 'beta' };

let read: FeatureGatesFile | undefined;

/** Resolves `--feature-gates` (name to `true` or `false`) for a version. */
export function resolveFeatureGates(
  given: Readonly<Record<string, string>>,
  version: EffectiveVersion,
): ResolvedFeatureGates {
  // A start asks some twenty times, and to parse the file takes 2 ms.
  const file = (read ??= readGen<FeatureGatesFile>('feature-gates'));
  const stageOf = (gate: string): GateStage =>
    (getKey(file.gates, gate) ?? []).findLast((stage) => counts(stage, version)) ?? unborn;
  const set = new Map<string, boolean>();
  const errors: string[] = [];
  for (const [gate, text] of Object.entries(given)) {
    const value = parseBool(text);
    if (value === undefined)
      errors.push(
        text === ''
          ? `missing bool value for ${gate}`
          : `invalid value of ${gate}=${text}, err: strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`,
      );
    else {
      const error = settingError(gate, value, Object.hasOwn(file.gates, gate), stageOf(gate), version);
      if (error === undefined) set.set(gate, value);
      else errors.push(error);
    }
  }
  const isEnabled = (gate: string): boolean => {
    const [, initial, stage] = stageOf(gate);
    const wide = Object.entries(ofStage).find(([, name]) => name === stage)?.[0];
    return set.get(gate) ?? (wide === undefined || wide === gate ? undefined : set.get(wide)) ?? initial;
  };
  if (errors.length === 0 && set.size > 0) errors.push(...missingDependencies(file, isEnabled));
  const list = (): GateState[] =>
    Object.keys(file.gates)
      .filter((name) => stageOf(name) !== unborn)
      .map((name) => ({ name, stage: stageOf(name)[2], enabled: isEnabled(name) }));
  const record = (): Record<GateName, boolean> =>
    Object.fromEntries(Object.keys(file.gates).map((name) => [name, isEnabled(name)])) as Record<GateName, boolean>;
  return { gates: { isEnabled }, record, list, errors };
}

function counts([since, , , ...more]: GateStage, { emulation, minCompatibility }: EffectiveVersion): boolean {
  const least = more.find((word) => word !== 'locked');
  return (
    compareReleases(since, emulation) <= 0 && (least === undefined || compareReleases(least, minCompatibility) <= 0)
  );
}

function settingError(
  gate: string,
  value: boolean,
  known: boolean,
  [, initial, stage, ...more]: GateStage,
  { emulation, minCompatibility }: EffectiveVersion,
): string | undefined {
  if (!known) return `unrecognized feature gate: ${gate}`;
  if (more.includes('locked') && initial !== value)
    return `cannot set feature gate ${gate} to ${value}, feature is locked to ${initial}`;
  return stage === 'pre-alpha'
    ? `cannot set feature gate ${gate} to ${value}, feature is PreAlpha at emulated version ${emulation}, min compatibility version ${minCompatibility}`
    : undefined;
}

function missingDependencies(file: FeatureGatesFile, isEnabled: (gate: string) => boolean): string[] {
  return Object.entries(file.dependencies)
    .filter(([gate]) => isEnabled(gate))
    .flatMap(([gate, needed]) => {
      const missing = needed.filter((other) => !isEnabled(other));
      return missing.length === 0
        ? []
        : [`${gate} is enabled, but depends on features that are disabled: [${missing.join(' ')}]`];
    });
}
