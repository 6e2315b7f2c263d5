import { flagName } from './flag-set.ts';
import { resolveServerOptions, type ServerOptions } from './server-options.ts';

/** Flags that are known and would be relied upon, but do nothing here yet: a server with one of them does not start. */
const unavailable = ['egressSelectorConfigFile'] as const satisfies readonly (keyof ServerOptions)[];

/** An error for each flag that is given and cannot act. */
export function unavailableFlagErrors(options: ServerOptions): string[] {
  const defaults = resolveServerOptions();
  return unavailable
    .filter((key) => JSON.stringify(options[key]) !== JSON.stringify(defaults[key]))
    .map((key) => `--${flagName(key)} is not available yet; leave it out`);
}
