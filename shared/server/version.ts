import type { Handler } from '../request/request-context.ts';

/** What `/version` answers: the Kubernetes release whose API this is. */
export const versionInfo = Object.freeze({
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: 'v1.36.3',
  gitCommit: '',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: `node${process.versions.node}`,
  compiler: 'v8',
  platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
});

const body = JSON.stringify(versionInfo, undefined, 2);

export const serveVersion: Handler = ({ exchange }) => {
  exchange.send(200, { 'content-type': 'application/json' }, body);
};
