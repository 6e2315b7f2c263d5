import { aggregateText, forbidden, path } from '#shared/apimachinery/errors/field-error.ts';
import { baseEnvironments } from '#shared/cel/environment/base-environment.ts';
import { MappingCompiler } from '#shared/cel/uses/authentication.ts';
import { ConfigurationError } from '#shared/configuration/decode-configuration.ts';
import type { AnonymousConfiguration, AuthenticationConfiguration } from './authentication-configuration.ts';
import {
  validateAuthenticationConfiguration,
  type CompiledJwtAuthenticator,
} from './validate-authentication-configuration.ts';
import type { IssuerRules } from './validate-issuer.ts';

/** A valid configuration with its compiled expressions. */
export interface LoadedConfiguration {
  readonly authenticators: readonly CompiledJwtAuthenticator[];
  readonly anonymous?: AnonymousConfiguration;
}

let compiler: MappingCompiler | undefined;

/**
 * Validates a configuration and compiles its expressions.
 * @param initial of a reload: the configuration of the start, which alone says who is anonymous
 * @throws ConfigurationError with all causes
 */
export function loadConfiguration(
  configuration: AuthenticationConfiguration,
  rules: IssuerRules,
  initial?: Pick<AuthenticationConfiguration, 'anonymous'>,
): LoadedConfiguration {
  // The expressions come from this server's own files, so that the release does not matter.
  compiler ??= new MappingCompiler(baseEnvironments(Number.POSITIVE_INFINITY));
  const { errors, authenticators } = validateAuthenticationConfiguration(configuration, compiler, rules);
  const { anonymous } = configuration;
  const isChanged = initial !== undefined && JSON.stringify(initial.anonymous) !== JSON.stringify(anonymous);
  const all = isChanged ? [...errors, forbidden(path('anonymous'), 'changed from initial configuration file')] : errors;
  if (all.length > 0) throw new ConfigurationError(aggregateText(all));
  return { authenticators, ...(anonymous !== undefined && { anonymous }) };
}
