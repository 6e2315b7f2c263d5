import { ownRelease, type Release } from '#shared/apimachinery/release-version.ts';

const [ownMajor, ownMinor] = partsOf(ownRelease);

/** The Kubernetes release whose API this product implements. */
export const versionInfo = Object.freeze({
  major: ownMajor,
  minor: ownMinor,
  gitVersion: 'v1.36.3',
  gitCommit: '',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: `node${process.versions.node}`,
  compiler: 'v8',
  platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
});

export function partsOf(release: Release): [major: string, minor: string] {
  const [major = '', minor = ''] = release.split('.');
  return [major, minor];
}
