import type { EffectiveVersion } from '../api/feature-gates.ts';
import { ownRelease, type Release } from '../apimachinery/release-version.ts';
import { refuseOtherMethods } from '../endpoints/get-only.ts';
import type { Handler } from '../request/request-context.ts';
import { checkRepresentations, jsonType } from '../serializer/negotiate.ts';

const [ownMajor, ownMinor] = partsOf(ownRelease);

/** The Kubernetes release whose API this is. */
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

/** Answers `/version`: the build, and the releases that it behaves as. */
export function serveVersion({ emulation, minCompatibility }: EffectiveVersion): Handler {
  const { major, minor, ...build } = versionInfo;
  const [emulationMajor, emulationMinor] = partsOf(emulation);
  const [minCompatibilityMajor, minCompatibilityMinor] = partsOf(minCompatibility);
  const body = JSON.stringify({ major, minor, emulationMajor, emulationMinor, minCompatibilityMajor, minCompatibilityMinor, ...build }, undefined, 2);
  return (context) => {
    const { exchange } = context;
    refuseOtherMethods(context);
    checkRepresentations(exchange.headers['accept'] as string | undefined, [jsonType]);
    exchange.send(200, { 'content-type': jsonType }, body);
  };
}

function partsOf(release: Release): [major: string, minor: string] {
  const [major = '', minor = ''] = release.split('.');
  return [major, minor];
}
