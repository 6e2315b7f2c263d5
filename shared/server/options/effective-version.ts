import type { EffectiveVersion } from '#shared/api/feature-gates.ts';
import {
  compareReleases,
  ownRelease,
  parseRelease,
  releaseBefore,
  type Release,
} from '#shared/apimachinery/release-version.ts';

/** The oldest release that can be emulated, or that can be the minimum compatibility version. */
const floor: Release = '1.33';
/** The only component of this product (KEP-4330); flags may leave it out. */
const component = 'kube';

export interface EffectiveVersionFlags {
  readonly emulatedVersion: readonly string[];
  readonly minCompatibilityVersion: readonly string[];
  readonly emulationForwardCompatible: boolean;
  readonly runtimeConfigEmulationForwardCompatible: boolean;
}

/** The releases that valid flags name; by default those of this product (component-base/compatibility). */
export function effectiveVersion(flags: EffectiveVersionFlags): EffectiveVersion {
  const emulation = releaseOf(flags.emulatedVersion[0]) ?? ownRelease;
  const before = releaseBefore(emulation);
  const least = compareReleases(before, floor) < 0 ? floor : before;
  return { emulation, minCompatibility: releaseOf(flags.minCompatibilityVersion[0]) ?? least };
}

/** Errors in the flags, in the reference's words. */
export function effectiveVersionErrors(flags: EffectiveVersionFlags): string[] {
  const malformed = [...releaseErrors(flags.emulatedVersion), ...releaseErrors(flags.minCompatibilityVersion)];
  if (malformed.length > 0) return malformed;
  const { emulation, minCompatibility } = effectiveVersion(flags);
  const errors: string[] = [];
  if (!isBetween(emulation, ownRelease))
    errors.push(`emulation version ${emulation} is not between [${floor}, ${ownRelease}.0]`);
  if (!isBetween(minCompatibility, emulation))
    errors.push(`minCompatibilityVersion version ${minCompatibility} is not between [${floor}, ${emulation}]`);
  if (emulation !== ownRelease) return errors;
  const emulatedOnly = {
    EmulationForwardCompatible: flags.emulationForwardCompatible,
    RuntimeConfigEmulationForwardCompatible: flags.runtimeConfigEmulationForwardCompatible,
  };
  for (const [name, given] of Object.entries(emulatedOnly)) {
    if (given)
      errors.push(
        `ServerRunOptions.${name} cannot be set to true if the emulation version is the same as the binary version`,
      );
  }
  return errors;
}

function isBetween(release: Release, highest: Release): boolean {
  return compareReleases(release, floor) >= 0 && compareReleases(release, highest) <= 0;
}

function releaseErrors(texts: readonly string[]): string[] {
  const first = texts[0];
  return texts.flatMap((text, index) => {
    const { name, value } = split(text);
    const parsed = parseRelease(value);
    if (parsed === undefined) return [`could not parse ${JSON.stringify(value)} as version`];
    if (parsed.patch !== 0) return [`patch version not allowed, got: ${name}=${value}`];
    if (name !== component) return [`component not registered: ${name}`];
    return index === 0 || first === undefined
      ? []
      : [`duplicate version flag, ${name}=${split(first).value} and ${name}=${parsed.release}`];
  });
}

function releaseOf(text: string | undefined): Release | undefined {
  return text === undefined ? undefined : parseRelease(split(text).value)?.release;
}

function split(text: string): { readonly name: string; readonly value: string } {
  const at = text.indexOf('=');
  return at < 0
    ? { name: component, value: text.trim() }
    : { name: text.slice(0, at).trim(), value: text.slice(at + 1).trim() };
}
