import { readFile } from 'node:fs/promises';
import { fieldErrorText, forbidden, path } from '#shared/apimachinery/errors/field-error.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { ConfigurationError } from '#shared/configuration/decode-configuration.ts';
import { readError } from '#shared/configuration/read-error.ts';
import type { AuthenticationConfiguration } from './authentication-configuration.ts';
import type { OidcFlags } from './configuration-of-flags.ts';
import type { LoadedConfiguration } from './load-configuration.ts';
import { signingAlgorithms } from './signing-algorithms.ts';
import type { IssuerRules } from './validate-issuer.ts';

/** Flags that say whose tokens are accepted. */
export interface JwtFlags extends OidcFlags {
  /** The AuthenticationConfiguration, in place of `--oidc-*`; empty for none. */
  readonly authenticationConfig: string;
  /** The EgressSelectorConfiguration, which `egressSelectorType` needs; empty for none. */
  readonly egressSelectorConfigFile: string;
  readonly oidcCaFile: string;
  readonly oidcSigningAlgs: readonly string[];
  readonly serviceAccountIssuer: readonly string[];
}

/** The configuration of a process at its start. */
export interface OpenedConfiguration extends LoadedConfiguration {
  /** Algorithms of signatures that are accepted. */
  readonly algorithms: readonly string[];
  readonly rules: IssuerRules;
  /** The file that it comes from, which is followed; absent where flags say it. */
  readonly file?: { readonly path: string; readonly bytes: Uint8Array };
}

/**
 * Reads the configuration that the flags name, or are; undefined where no flag is about JWTs.
 * @param hasEgress whether the gate StructuredAuthenticationConfigurationEgressSelector is on
 * @throws ConfigurationError
 */
export async function openConfiguration(flags: JwtFlags, hasEgress: boolean): Promise<OpenedConfiguration | undefined> {
  const rules = { disallowedIssuers: flags.serviceAccountIssuer, hasEgress };
  if (flags.authenticationConfig !== '') return await openFile(flags, rules);
  if (flags.oidcIssuerUrl === '' || flags.oidcClientId === '') return undefined;
  const { configurationOfFlags, loadConfiguration } = await import('./engine.ts');
  const configuration = configurationOfFlags(flags, await readAuthorities(flags.oidcCaFile));
  return {
    ...explained('invalid authentication configuration', () => loadConfiguration(configuration, rules)),
    algorithms: flags.oidcSigningAlgs.length === 0 ? ['RS256'] : flags.oidcSigningAlgs,
    rules,
  };
}

/**
 * The errors of the configuration that the flags name, for a check before anything starts.
 * @param isAnonymousGiven whether `--anonymous-auth` is on the command line
 */
export async function authenticationFileErrors(
  flags: JwtFlags,
  hasEgress: boolean,
  isAnonymousGiven: boolean,
): Promise<string[]> {
  try {
    const opened = await openConfiguration(flags, hasEgress);
    if (opened?.anonymous === undefined || !isAnonymousGiven) return [];
    const detail =
      '--anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file';
    return [fieldErrorText(forbidden(path('anonymous'), detail))];
  } catch (error) {
    if (error instanceof ConfigurationError) return [error.message];
    throw error;
  }
}

async function openFile(flags: JwtFlags, rules: IssuerRules): Promise<OpenedConfiguration> {
  const file = flags.authenticationConfig;
  const { decodeAuthenticationConfiguration, loadConfiguration } = await import('./engine.ts');
  const words = `failed to load authentication configuration from file ${goQuote(file)}`;
  const bytes = await read(file, words);
  const configuration = explained(words, () => decodeAuthenticationConfiguration(bytes));
  const loaded = explained('invalid authentication configuration', () => loadConfiguration(configuration, rules));
  if (flags.egressSelectorConfigFile === '') refuseEgress(configuration);
  return {
    ...loaded,
    algorithms: signingAlgorithms,
    rules,
    file: { path: file, bytes },
  };
}

/** @throws ConfigurationError if an issuer is to be reached by an egress selector */
function refuseEgress({ jwt }: AuthenticationConfiguration): void {
  const type = jwt.map(({ issuer }) => issuer.egressSelectorType).find((one) => one !== '');
  if (type !== undefined)
    throw new ConfigurationError(`oidc: egress lookup required with egress selector type ${goQuote(type)}`);
}

async function readAuthorities(file: string): Promise<string> {
  return file === '' ? '' : Buffer.from(await read(file, `--oidc-ca-file ${goQuote(file)}`)).toString('utf8');
}

async function read(file: string, words: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new ConfigurationError(`${words}: ${readError(error, file)}`);
  }
}

/** Puts words before the message of a ConfigurationError. */
function explained<T>(words: string, attempt: () => T): T {
  try {
    return attempt();
  } catch (error) {
    throw error instanceof ConfigurationError ? new ConfigurationError(`${words}: ${error.message}`) : error;
  }
}
