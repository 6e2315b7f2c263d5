import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { jwtFlagErrors } from './jwt-flag-errors.ts';
import { authenticationFileErrors, openConfiguration, type JwtFlags } from './open-configuration.ts';

const none: JwtFlags = {
  authenticationConfig: '',
  egressSelectorConfigFile: '',
  oidcCaFile: '',
  oidcClientId: '',
  oidcGroupsClaim: '',
  oidcGroupsPrefix: '',
  oidcIssuerUrl: '',
  oidcRequiredClaim: {},
  oidcSigningAlgs: ['RS256'],
  oidcUsernameClaim: 'sub',
  oidcUsernamePrefix: '',
  serviceAccountIssuer: ['https://own.example'],
};
const flags = { ...none, oidcIssuerUrl: 'https://issuer.example', oidcClientId: 'client' };

let folder: string;

function fileOf(text: string): JwtFlags {
  const authenticationConfig = join(folder, 'file');
  writeFileSync(authenticationConfig, text);
  return { ...none, authenticationConfig };
}

async function mappingOf(more: Partial<JwtFlags>): Promise<unknown> {
  const opened = await openConfiguration({ ...flags, ...more }, true);
  return opened?.authenticators[0]?.configuration.claimMappings.username.prefix;
}

describe('openConfiguration', () => {
  before(() => (folder = mkdtempSync(join(tmpdir(), 'authentication-'))));
  after(() => rmSync(folder, { recursive: true }));

  test('opens nothing without flags', async () => assert.equal(await openConfiguration(none, true), undefined));

  // ToAuthenticationConfig in pkg/kubeapiserver/options of the reference.
  test('puts the issuer before names of other claims than email, if no prefix is given', async () => {
    assert.equal(await mappingOf({}), 'https://issuer.example#');
    assert.equal(await mappingOf({ oidcUsernameClaim: 'email' }), '');
    assert.equal(await mappingOf({ oidcUsernamePrefix: '-' }), '');
    assert.equal(await mappingOf({ oidcUsernamePrefix: 'a:' }), 'a:');
  });

  test('tells all causes of a wrong file', async () => {
    const wrong = fileOf(`apiVersion: apiserver.config.k8s.io/v1beta1
kind: AuthenticationConfiguration
jwt: [{issuer: {url: "http://a.example", audiences: []}, claimMappings: {username: {}}}]`);
    assert.deepEqual(await authenticationFileErrors(wrong, true, false), [
      'invalid authentication configuration: [jwt[0].issuer.url: Invalid value: "http://a.example": URL scheme must be https, jwt[0].issuer.audiences: Required value: at least one jwt[0].issuer.audiences is required, jwt[0].claimMappings.username: Required value: claim or expression is required]',
    ]);
  });

  test('tells what a file has that it must not have', async () => {
    const head = `failed to load authentication configuration from file "${join(folder, 'file')}": `;
    const errorsOf = async (text: string): Promise<string[]> =>
      await authenticationFileErrors(fileOf(text), true, false);
    assert.deepEqual(await errorsOf(''), [`${head}empty config data`]);
    assert.deepEqual(
      await errorsOf(
        '{"apiVersion":"apiserver.config.k8s.io/v1alpha1","kind":"AuthenticationConfiguration","jwks":[]}',
      ),
      [`${head}strict decoding error: unknown field "jwks"`],
    );
    const missing = { ...none, authenticationConfig: join(folder, 'missing') };
    assert.deepEqual(await authenticationFileErrors(missing, true, false), [
      `failed to load authentication configuration from file "${missing.authenticationConfig}": open ${missing.authenticationConfig}: no such file or directory`,
    ]);
  });

  test('refuses an issuer behind an egress selector where there is none', async () => {
    const file = fileOf(`apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: {url: "https://a.example", audiences: [a], egressSelectorType: cluster}
  claimMappings: {username: {claim: sub, prefix: ""}}`);
    assert.deepEqual(await authenticationFileErrors(file, true, false), [
      'oidc: egress lookup required with egress selector type "cluster"',
    ]);
    assert.deepEqual(await authenticationFileErrors({ ...file, egressSelectorConfigFile: 'x' }, true, false), []);
  });

  test('refuses a flag for anonymous requests beside a file that says it', async () => {
    const file = fileOf(
      '{"apiVersion":"apiserver.config.k8s.io/v1","kind":"AuthenticationConfiguration","anonymous":{"enabled":true,"conditions":[{"path":"/livez"}]}}',
    );
    assert.deepEqual((await openConfiguration(file, true))?.anonymous, {
      enabled: true,
      conditions: [{ path: '/livez' }],
    });
    assert.deepEqual(await authenticationFileErrors(file, true, true), [
      'anonymous: Forbidden: --anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file',
    ]);
  });
});

describe('jwtFlagErrors', () => {
  test('tells flags that do not go together, in the words of the reference', () => {
    const issuerOnly = { ...flags, oidcClientId: '' };
    assert.deepEqual(jwtFlagErrors(issuerOnly, new Set(['oidcIssuerUrl']), true), [
      'oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set',
    ]);
    assert.deepEqual(jwtFlagErrors({ ...flags, authenticationConfig: 'file' }, new Set(['oidcIssuerUrl']), false), [
      'set --feature-gates=StructuredAuthenticationConfiguration=true to use authentication-config file',
      'authentication-config file and oidc-* flags are mutually exclusive',
    ]);
    assert.deepEqual(
      jwtFlagErrors({ ...flags, oidcSigningAlgs: ['RS256', 'HS256'] }, new Set(['oidcIssuerUrl']), true),
      ['oidc: unsupported signing alg: "HS256"'],
    );
    assert.deepEqual(jwtFlagErrors(none, new Set(), true), []);
  });
});
