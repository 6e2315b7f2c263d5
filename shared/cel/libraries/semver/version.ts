import { goQuote } from '#shared/apimachinery/text/go-format.ts';

/** A semantic version (semver.org 2.0.0), without build metadata. */
export interface Version {
  /** The numbers major, minor and patch. */
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly prerelease: readonly string[];
}

/** Thrown if a text is no version; the message is upstream's. */
export class VersionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'VersionError';
  }
}

const digits = /^[0-9]*$/;
const allowed = /^[0-9A-Za-z-]*$/;
const largest = (1n << 64n) - 1n;

/** @throws VersionError */
export function parseVersion(text: string): Version {
  if (text === '') throw new VersionError('Version string empty');
  const parts = splitInto(text, '.', 3);
  if (parts.length !== 3) throw new VersionError('No Major.Minor.Patch elements found');
  const [major = '', minor = '', rest = ''] = parts;
  const first = numberOf(major, 'Major', 'major');
  const second = numberOf(minor, 'Minor', 'minor');
  const [beforeBuild, build] = splitOnce(rest, '+');
  const [patch, prerelease] = splitOnce(beforeBuild, '-');
  const third = numberOf(patch, 'Patch', 'patch');
  const identifiers = prerelease === undefined ? [] : prerelease.split('.');
  for (const identifier of identifiers) checkPrerelease(identifier);
  for (const part of build?.split('.') ?? []) {
    if (part === '') throw new VersionError('Build meta data is empty');
    if (!allowed.test(part)) throw new VersionError(`Invalid character(s) found in build meta data ${goQuote(part)}`);
  }
  return { numbers: [first, second, third], prerelease: identifiers };
}

function numberOf(text: string, name: string, lower: string): bigint {
  if (!digits.test(text)) throw new VersionError(`Invalid character(s) found in ${lower} number ${goQuote(text)}`);
  if (text.length > 1 && text.startsWith('0'))
    throw new VersionError(`${name} number must not contain leading zeroes ${goQuote(text)}`);
  return unsigned(text);
}

function unsigned(text: string): bigint {
  if (text === '') throw new VersionError('strconv.ParseUint: parsing "": invalid syntax');
  // A text of more than 40 digits is too large in any case, so it is not parsed.
  const value = text.length > 40 ? largest + 1n : BigInt(text);
  if (value > largest) throw new VersionError(`strconv.ParseUint: parsing "${text}": value out of range`);
  return value;
}

function checkPrerelease(text: string): void {
  if (text === '') throw new VersionError('Prerelease is empty');
  if (digits.test(text)) {
    if (text.length > 1 && text.startsWith('0'))
      throw new VersionError(`Numeric PreRelease version must not contain leading zeroes ${goQuote(text)}`);
    unsigned(text);
  } else if (!allowed.test(text)) throw new VersionError(`Invalid character(s) found in prerelease ${goQuote(text)}`);
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function splitInto(text: string, separator: string, most: number): string[] {
  const parts = text.split(separator);
  return parts.length <= most ? parts : [...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)];
}

/** Parses a version that may have a `v` prefix and leading zeros and may lack minor or patch. @throws VersionError */
export function parseLooseVersion(text: string): Version {
  const parts = splitInto(text.startsWith('v') ? text.slice(1) : text, '.', 3).map(withoutLeadingZeros);
  if (parts.length < 3) {
    if (/[+-]/.test(parts.at(-1) ?? ''))
      throw new VersionError('short version cannot contain PreRelease/Build meta data');
    while (parts.length < 3) parts.push('0');
  }
  return parseVersion(parts.join('.'));
}

function withoutLeadingZeros(part: string): string {
  if (part.length <= 1) return part;
  const rest = part.replace(/^0+/, '');
  return /^[0-9]/.test(rest) ? rest : `0${rest}`;
}

/** -1, 0 or 1; build metadata (after a `+`) is ignored. */
export function compareSemver(a: Version, b: Version): number {
  for (const [place, part] of a.numbers.entries()) {
    const other = b.numbers[place] ?? 0n;
    if (part !== other) return part > other ? 1 : -1;
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0)
    return Math.sign(b.prerelease.length - a.prerelease.length);
  for (const [place, part] of a.prerelease.entries()) {
    const other = b.prerelease[place];
    if (other === undefined) return 1;
    const order = compareIdentifiers(part, other);
    if (order !== 0) return order;
  }
  return Math.sign(a.prerelease.length - b.prerelease.length);
}

/** Compares two prerelease identifiers; numeric ones come first. */
function compareIdentifiers(a: string, b: string): number {
  if (a === b) return 0;
  const [first, second] = [digits.test(a), digits.test(b)];
  if (first !== second) return first ? -1 : 1;
  return (first ? BigInt(a) > BigInt(b) : a > b) ? 1 : -1;
}
