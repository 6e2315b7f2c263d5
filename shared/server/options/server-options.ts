import { accessFlags } from './access-flags.ts';
import { clusterFlags } from './cluster-flags.ts';
import { formatHelp } from './flag-help.ts';
import { defaultOptions, parseFlags, type OptionsOf } from './flag-set.ts';
import { kubeletFlags } from './kubelet-flags.ts';
import { replicaFlags } from './replica-flags.ts';
import { servingFlags } from './serving-flags.ts';
import { snapshotFlags } from './snapshot-flags.ts';
import { storageFlags } from './storage-flags.ts';
import { unreadableFiles } from './unreadable-files.ts';
import { validateServerOptions } from './validate-server-options.ts';
import { versionText } from './version-kind.ts';

/** All supported flags of the product: names and defaults are kube-apiserver's (plus `--data-dir`). */
export const serverFlags = {
  ...servingFlags,
  ...storageFlags,
  ...accessFlags,
  ...clusterFlags,
  ...kubeletFlags,
  ...replicaFlags,
  ...snapshotFlags,
};

/**
 * The resolved options, one key for each flag, in camel case (`securePort` for `--secure-port`). Durations are
 * milliseconds where the flag is of type duration. Plain JSON, handed from the launcher to its children as is.
 */
export type ServerOptions = OptionsOf<typeof serverFlags>;

export interface ParsedServerOptions {
  readonly options: ServerOptions;
  /** Keys that the command line set; for the others the launcher can set its own defaults. */
  readonly given: ReadonlySet<keyof ServerOptions>;
  /** The text of --help or --version if it was requested instead of a start. */
  readonly answer: string | undefined;
  /** Syntax and value errors together; empty when the options can be used. */
  readonly errors: readonly string[];
}

/** Reads a command line (without program and sub-command). */
export function parseServerOptions(argv: readonly string[]): ParsedServerOptions {
  const parsed = parseFlags(serverFlags, argv);
  const given = parsed.given as ReadonlySet<keyof ServerOptions>;
  // The reference accepts empty arguments.
  const stray = parsed.positional
    .filter((argument) => argument !== '')
    .map((argument) => `unexpected argument ${JSON.stringify(argument)}`);
  return {
    options: parsed.options,
    given,
    answer: parsed.help ? serverHelp() : parsed.errors.length > 0 ? undefined : versionText(parsed.options.version),
    errors: [
      ...parsed.errors,
      ...stray,
      ...validateServerOptions(parsed.options),
      ...unreadableFiles(parsed.options, given),
    ],
  };
}

/**
 * kube-apiserver's defaults with the given changes, for programs that start a server.
 * @public
 */
export function resolveServerOptions(changed: Partial<ServerOptions> = {}): ServerOptions {
  return Object.freeze({ ...defaultOptions(serverFlags), ...changed });
}

/** The text of `--help`. */
export function serverHelp(): string {
  return formatHelp('Usage:\n  quarterdeck [store|core|extensions|gateway] [flags]', serverFlags);
}
