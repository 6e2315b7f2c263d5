import { configurationErrors } from '#shared/admission/configuration/plugin-configurations.ts';
import { jwtFlagErrors } from '#shared/authentication/configuration/jwt-flag-errors.ts';
import { authorizationFlagErrors } from '#shared/authorization/configuration/authorization-flags.ts';
import { etcdAddressErrors } from './etcd-addresses.ts';
import { readsAuthenticationFiles, readsManifests } from './feature-gates.ts';
import { parseFlags } from './flag-set.ts';
import { emptyFolders, withoutEmptyPaths } from './named-paths.ts';
import { serverFlags, serverHelp, type ServerOptions } from './server-options.ts';
import { unreadableFiles } from './unreadable-files.ts';
import { validateServerOptions } from './validate-server-options.ts';
import { versionText } from './version-kind.ts';

export interface ParsedServerOptions {
  readonly options: ServerOptions;
  /** Keys that the command line set, but for files with an empty name; for the others the launcher can set its own defaults. */
  readonly given: ReadonlySet<keyof ServerOptions>;
  /** The text of --help or --version if it was requested instead of a start. */
  readonly answer: string | undefined;
  /** Syntax and value errors together; empty when the options can be used. */
  readonly errors: readonly string[];
}

/** Reads a command line (without program and sub-command). */
export function parseServerOptions(argv: readonly string[]): ParsedServerOptions {
  const parsed = parseFlags(serverFlags, argv);
  const given = withoutEmptyPaths(parsed.options, parsed.given as ReadonlySet<keyof ServerOptions>);
  // The reference accepts empty arguments.
  const stray = parsed.positional
    .filter((argument) => argument !== '')
    .map((argument) => `unexpected argument ${JSON.stringify(argument)}`);
  const errors = [
    ...parsed.errors,
    ...stray,
    ...emptyFolders(parsed.options, given),
    ...etcdAddressErrors(parsed.options, given),
    ...validateServerOptions(parsed.options),
    ...jwtFlagErrors(parsed.options, given, readsAuthenticationFiles(parsed.options)),
    ...authorizationFlagErrors(parsed.options, given),
    ...unreadableFiles(parsed.options, given),
  ];
  return {
    options: parsed.options,
    given,
    answer: parsed.help ? serverHelp() : parsed.errors.length > 0 ? undefined : versionText(parsed.options.version),
    // As in the reference, files of admission plugins are read once the flags are right.
    errors: errors.length === 0 ? configurationErrors(parsed.options, readsManifests(parsed.options)) : errors,
  };
}
