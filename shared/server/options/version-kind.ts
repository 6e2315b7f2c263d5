import { goQuote as quote } from '../../apimachinery/go-format.ts';
import { parseBool } from '../../apimachinery/parse-bool.ts';
import { versionInfo } from './version-info.ts';
import { FlagValueError, type FlagKind } from './flag-kinds.ts';

export type VersionRequest = 'true' | 'false' | 'raw';

/**
 * `--version` and `--version=raw`. The server's own release is accepted as a value and has no effect
 * (component-base/version/verflag).
 */
export const versionKind: FlagKind<VersionRequest> = {
  typeName: '',
  isBool: true,
  parse(text) {
    if (text === 'raw') return 'raw';
    if (text.startsWith('v')) return release(text);
    const value = parseBool(text);
    if (value === undefined) throw new FlagValueError(`strconv.ParseBool: parsing ${quote(text)}: invalid syntax`);
    return value ? 'true' : 'false';
  },
  format: () => '',
};

function release(text: string): VersionRequest {
  const own = versionInfo.gitVersion;
  if (text === own) return 'false';
  if (!/^v\d+\.\d+/.test(text)) throw new FlagValueError(`illegal version string ${quote(text)}`);
  if (text.startsWith(`${own}-`) || text.startsWith(`${own}+`))
    throw new FlagValueError(`version ${quote(text)} cannot be shown here: only ${quote(own)} itself`);
  throw new FlagValueError(`version ${quote(text)} must match major/minor/patch of default version ${quote(own)}`);
}

/** The text to print; undefined if none was requested. */
export function versionText(request: VersionRequest): string | undefined {
  if (request === 'false') return undefined;
  if (request === 'true') return `Kubernetes ${versionInfo.gitVersion}\n`;
  const { major, minor, gitVersion, gitCommit, gitTreeState, buildDate, goVersion, compiler, platform } = versionInfo;
  const fields = {
    Major: major,
    Minor: minor,
    EmulationMajor: '',
    EmulationMinor: '',
    MinCompatibilityMajor: '',
    MinCompatibilityMinor: '',
    GitVersion: gitVersion,
    GitCommit: gitCommit,
    GitTreeState: gitTreeState,
    BuildDate: buildDate,
    GoVersion: goVersion,
    Compiler: compiler,
    Platform: platform,
  };
  return `version.Info{${Object.entries(fields)
    .map(([name, value]) => `${name}:${quote(value)}`)
    .join(', ')}}\n`;
}
