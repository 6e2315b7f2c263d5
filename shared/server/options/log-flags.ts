import type { Logger } from '#shared/observability/logger.ts';
import { deprecatedFlags } from './deprecated-flags.ts';
import { flagName, type Flag } from './flag-set.ts';
import { flagValues } from './flag-values.ts';
import { isWithoutEffect } from './flags-without-effect.ts';
import { serverFlags, type ServerOptions } from './server-options.ts';
import { versionInfo } from './version-info.ts';

/**
 * Logs with what this process starts: the release, each flag with `-v=1` (component-base/cli/flag, PrintFlags), and a
 * warning for each flag that was given and is deprecated, or changes nothing yet.
 */
export function logStart(logger: Logger, options: ServerOptions): void {
  logger.info(0, `Version: ${versionInfo.gitVersion}`);
  for (const key of changedFlags(options)) {
    const [name, deprecation] = [flagName(key), deprecatedFlags.get(key)];
    if (deprecation !== undefined) logger.warning(`Flag --${name} has been deprecated, ${deprecation}`);
    if (isWithoutEffect(key)) logger.warning(`--${name} is checked, and changes nothing yet`);
  }
  if (!logger.enabled(1)) return;
  for (const [name, value] of Object.entries(flagValues(options)))
    logger.info(1, `FLAG: --${name}=${JSON.stringify(value)}`);
}

function changedFlags(options: ServerOptions): (keyof ServerOptions)[] {
  return (Object.entries(serverFlags) as [keyof ServerOptions, Flag<unknown>][])
    .filter(([key, flag]) => flag.kind.format(options[key]) !== flag.kind.format(flag.default))
    .map(([key]) => key);
}
