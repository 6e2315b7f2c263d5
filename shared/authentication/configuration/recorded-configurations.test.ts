import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fieldErrorText, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { baseEnvironments } from '#shared/cel/environment/base-environment.ts';
import { MappingCompiler } from '#shared/cel/uses/authentication.ts';
import { decodeAuthenticationConfiguration } from './decode-authentication-configuration.ts';
import { validateAuthenticationConfiguration } from './validate-authentication-configuration.ts';
import { ClaimValidation } from './validate-claims.ts';
import { validateIssuer } from './validate-issuer.ts';

/** A configuration of upstream's tests (test/recorders/authentication), or a part of one. */
interface RecordedConfiguration {
  readonly configuration: object;
  readonly disallowed: readonly string[] | null;
  readonly errors: readonly string[];
  readonly part?: string;
}

function table(name: string): readonly RecordedConfiguration[] {
  const text = readFileSync(new URL(`testdata/${name}.json`, import.meta.url), 'utf8');
  return JSON.parse(text) as readonly RecordedConfiguration[];
}

const compiler = new MappingCompiler(baseEnvironments(36));

/** The errors about the part of the only issuer, whose other parts are empty. */
function errorsOfPart(line: RecordedConfiguration): readonly FieldError[] {
  const { part = '' } = line;
  const [authenticator] = decodeAuthenticationConfiguration(Buffer.from(JSON.stringify(line.configuration))).jwt;
  assert.ok(authenticator);
  const claims = new ClaimValidation(compiler);
  const field = path('issuer', part);
  if (part === 'claimValidationRules') claims.claimRules(authenticator.claimValidationRules, field);
  else if (part === 'claimMappings') claims.mappings(authenticator.claimMappings, field);
  else if (part === 'userValidationRules') claims.userRules(authenticator.userValidationRules, field);
  else {
    const rules = { disallowedIssuers: line.disallowed ?? [], hasEgress: true };
    const errors = validateIssuer(authenticator.issuer, path('issuer'), rules);
    return errors.filter((error) => error.field.startsWith(`issuer.${part}`));
  }
  return claims.errors;
}

describe('validateAuthenticationConfiguration', () => {
  for (const [index, line] of table('configurations').entries())
    test(`finds the errors of upstream's validation, configuration ${index}`, () => {
      const configuration = decodeAuthenticationConfiguration(Buffer.from(JSON.stringify(line.configuration)));
      const hasEgress = line.errors.every((error) => !error.includes('EgressSelector feature gate is disabled'));
      const rules = { disallowedIssuers: line.disallowed ?? [], hasEgress };
      const { errors } = validateAuthenticationConfiguration(configuration, compiler, rules);
      assert.deepEqual(
        errors.map(fieldErrorText),
        // Without this gate there is no file: the flag is refused.
        line.errors.filter((error) => !error.includes('StructuredAuthenticationConfiguration feature gate')),
      );
    });

  for (const [index, line] of table('parts').entries())
    test(`finds the errors of upstream's validation of ${line.part}, case ${index}`, () => {
      assert.deepEqual(errorsOfPart(line).map(fieldErrorText), line.errors);
    });
});
