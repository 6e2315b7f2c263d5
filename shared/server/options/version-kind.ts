import { goQuote as quote } from '#shared/apimachinery/text/go-format.ts';
import { parseBool } from '#shared/apimachinery/text/parse-bool.ts';
import { FlagValueError, type FlagKind } from './flag-kinds.ts';
import { versionInfo } from './version-info.ts';

/** A version that is reported in the place of {@link versionInfo}'s. */
type ReportedVersion = `v${string}`;
export type VersionRequest = 'true' | 'false' | 'raw' | ReportedVersion;

/**
 * `--version` and `--version=raw` print; a version is reported to clients, and is this release with something behind it
 * (component-base/version/verflag).
 */
export const versionKind: FlagKind<VersionRequest> = {
  typeName: 'version[=true]',
  isBool: true,
  parse(text) {
    if (text === 'raw') return 'raw';
    if (isReported(text)) {
      const error = misfit(text);
      if (error !== undefined) throw new FlagValueError(error);
      return text;
    }
    const value = parseBool(text);
    if (value === undefined) throw new FlagValueError(`strconv.ParseBool: parsing ${quote(text)}: invalid syntax`);
    return value ? 'true' : 'false';
  },
  format: () => '',
};

function isReported(text: string): text is ReportedVersion {
  return text.startsWith('v');
}

/** The numbers of a version, and what is behind them. */
const numbersAndSuffix = /^v(\d+(?:\.\d+)*)([^]*)$/;
/** Identifiers of a pre-release, and of the build (https://semver.org, 9 and 10). */
const preReleaseAndBuild = /^(?:-([\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*))?(?:\+[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?\s*$/;

/** Why a version cannot be reported. */
function misfit(text: string): string | undefined {
  const own = versionInfo.gitVersion;
  const [, numbers, suffix = ''] = numbersAndSuffix.exec(text) ?? [];
  if (numbers === undefined) return `could not parse ${quote(text)} as version`;
  const components = numbers.split('.');
  if (components.length !== 3) return `illegal version string ${quote(text)}`;
  const parsed = preReleaseAndBuild.exec(suffix);
  const prefixed = zeroPrefixed(components) ?? zeroPrefixed(parsed?.[1]?.split('.') ?? []);
  if (prefixed !== undefined) return `illegal zero-prefixed version component ${quote(prefixed)} in ${quote(text)}`;
  if (parsed === null) return `could not parse pre-release/metadata (${suffix}) in version ${quote(text)}`;
  if (`v${numbers}` !== own)
    return `version ${quote(text)} must match major/minor/patch of default version ${quote(own)}`;
  return undefined;
}

function zeroPrefixed(identifiers: readonly string[]): string | undefined {
  return identifiers.find((each) => /^0\d+$/.test(each));
}

/** The version that clients are told. */
export function versionForClients(request: VersionRequest): string {
  return isReported(request) ? request : versionInfo.gitVersion;
}

/** The text to print; undefined if none was requested. */
export function versionText(request: VersionRequest): string | undefined {
  if (request === 'false' || isReported(request)) return undefined;
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
