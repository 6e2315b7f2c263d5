import { duplicate, invalid, path, tooMany, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import type { MappingCompiler } from '#shared/cel/uses/authentication.ts';
import type { AuthenticationConfiguration, JwtAuthenticatorConfiguration } from './authentication-configuration.ts';
import { ClaimValidation, type ClaimExpressions } from './validate-claims.ts';
import { validateIssuer, type IssuerRules } from './validate-issuer.ts';

/** An issuer with the compiled expressions of its mappings and rules. */
export interface CompiledJwtAuthenticator {
  readonly configuration: JwtAuthenticatorConfiguration;
  readonly expressions: ClaimExpressions;
}

export interface ValidatedConfiguration {
  readonly errors: readonly FieldError[];
  /** Complete if there are no errors. */
  readonly authenticators: readonly CompiledJwtAuthenticator[];
}

const maxAuthenticators = 64;

/** Validates a configuration and compiles its expressions; finds all errors. */
export function validateAuthenticationConfiguration(
  { jwt, anonymous }: AuthenticationConfiguration,
  compiler: MappingCompiler,
  rules: IssuerRules,
): ValidatedConfiguration {
  const root = path('jwt');
  if (jwt.length > maxAuthenticators)
    return { errors: [tooMany(root, jwt.length, maxAuthenticators)], authenticators: [] };
  const errors: FieldError[] = [];
  const authenticators: CompiledJwtAuthenticator[] = [];
  const issuers = new Set<string>();
  const discoveryUrls = new Set<string>();
  for (const [index, configuration] of jwt.entries()) {
    const field = root.index(index);
    const { issuer, claimMappings, claimValidationRules, userValidationRules } = configuration;
    errors.push(...validateIssuer(issuer, field.child('issuer'), rules));
    const claims = new ClaimValidation(compiler);
    claims.claimRules(claimValidationRules, field.child('claimValidationRules'));
    claims.mappings(claimMappings, field.child('claimMappings'));
    claims.userRules(userValidationRules, field.child('userValidationRules'));
    errors.push(...claims.errors);
    if (issuers.has(issuer.url)) errors.push(duplicate(field.child('issuer', 'url'), issuer.url));
    issuers.add(issuer.url);
    if (issuer.discoveryUrl !== '' && discoveryUrls.has(issuer.discoveryUrl))
      errors.push(duplicate(field.child('issuer', 'discoveryURL'), issuer.discoveryUrl));
    discoveryUrls.add(issuer.discoveryUrl);
    authenticators.push({ configuration, expressions: claims.expressions });
  }
  if (anonymous !== undefined && !anonymous.enabled && anonymous.conditions.length > 0)
    errors.push(
      invalid(
        path('anonymous', 'conditions'),
        anonymous.conditions.map((condition) => ({ Path: condition.path })),
        'enabled should be set to true when conditions are defined',
      ),
    );
  return { errors, authenticators };
}
