/** A release of Kubernetes without its patch: `1.36`. */
export type Release = `${number}.${number}`;

/** The release whose API this product has. */
export const ownRelease: Release = '1.36';

/** Undefined for text that is not `major.minor`, with or without a patch or a leading `v`. */
export function parseRelease(text: string): { readonly release: Release; readonly patch: number } | undefined {
  const match = /^\s*v?(\d+)\.(\d+)(?:\.(\d+))?\s*$/.exec(text);
  return match === null
    ? undefined
    : { release: `${Number(match[1])}.${Number(match[2])}`, patch: Number(match[3] ?? 0) };
}

/** Negative when `a` is the earlier release. */
export function compareReleases(a: string, b: string): number {
  const [leftMajor = 0, leftMinor = 0] = a.split('.').map(Number);
  const [rightMajor = 0, rightMinor = 0] = b.split('.').map(Number);
  return leftMajor - rightMajor || leftMinor - rightMinor;
}

/** The previous release; for `1.0` the same. */
export function releaseBefore(release: Release): Release {
  const [major = 0, minor = 0] = release.split('.').map(Number);
  return `${major}.${Math.max(0, minor - 1)}`;
}
