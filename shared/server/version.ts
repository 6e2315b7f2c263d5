import { refuseOtherMethods } from '#shared/endpoints/get-only.ts';
import type { Handler } from '#shared/request/request-context.ts';
import { checkRepresentations, jsonType } from '#shared/serializer/negotiate.ts';
import { effectiveVersion } from './options/effective-version.ts';
import type { ServerOptions } from './options/server-options.ts';
import { partsOf, versionInfo } from './options/version-info.ts';
import { versionForClients } from './options/version-kind.ts';

/** Answers `/version`: the build, the emulated release and the minimum compatibility version. */
export function serveVersion(options: ServerOptions): Handler {
  const { emulation, minCompatibility } = effectiveVersion(options);
  const { major, minor, ...build } = { ...versionInfo, gitVersion: versionForClients(options.version) };
  const [emulationMajor, emulationMinor] = partsOf(emulation);
  const [minCompatibilityMajor, minCompatibilityMinor] = partsOf(minCompatibility);
  const body = JSON.stringify(
    { major, minor, emulationMajor, emulationMinor, minCompatibilityMajor, minCompatibilityMinor, ...build },
    undefined,
    2,
  );
  return (context) => {
    const { exchange } = context;
    refuseOtherMethods(context);
    checkRepresentations(exchange.headers['accept'] as string | undefined, [jsonType]);
    exchange.send(200, { 'content-type': jsonType }, body);
  };
}
