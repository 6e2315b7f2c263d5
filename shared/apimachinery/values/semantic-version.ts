/** A version by semver.org, 2.0.0; the build metadata after a `+` does not affect the order. */
export interface SemanticVersion {
  /** Major, minor, patch. */
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly prerelease: readonly string[];
}

const form =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;
const number = /^\d+$/;
const largest = (1n << 64n) - 1n;

/** Parses a version; undefined if it is invalid. Numbers have no leading zeros and fit into 64 bits. */
export function parseSemanticVersion(text: string): SemanticVersion | undefined {
  const found = form.exec(text);
  if (found === null) return undefined;
  const [, major = '', minor = '', patch = '', rest] = found;
  const prerelease = rest === undefined ? [] : rest.split('.');
  if (prerelease.some((part) => number.test(part) && part.length > 1 && part.startsWith('0'))) return undefined;
  const numbers = [BigInt(major), BigInt(minor), BigInt(patch)] as const;
  return numbers.every((part) => part <= largest) ? { numbers, prerelease } : undefined;
}

/** Negative if `a` comes before `b`. */
export function compareSemanticVersions(a: SemanticVersion, b: SemanticVersion): number {
  for (const [index, part] of a.numbers.entries()) {
    const other = b.numbers[index] as bigint;
    if (part !== other) return part < other ? -1 : 1;
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0) return b.prerelease.length - a.prerelease.length;
  for (const [index, part] of a.prerelease.entries()) {
    const other = b.prerelease[index];
    if (other === undefined) return 1;
    const order = comparePart(part, other);
    if (order !== 0) return order;
  }
  return a.prerelease.length - b.prerelease.length;
}

/** Compares parts of prereleases: numbers come before texts. */
function comparePart(a: string, b: string): number {
  const [first, second] = [number.test(a), number.test(b)];
  if (first && second) return BigInt(a) < BigInt(b) ? -1 : BigInt(a) > BigInt(b) ? 1 : 0;
  if (first !== second) return first ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
