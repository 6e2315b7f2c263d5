import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { decodeAuthenticationConfiguration } from '#shared/authentication/configuration/decode-authentication-configuration.ts';
import { loadConfiguration } from '#shared/authentication/configuration/load-configuration.ts';
import { ChangingProvider, makePair, signedBy } from '#shared/authentication/testing/changing-provider.ts';
import { NotYetUsableError } from '#shared/configuration/reloaded-configuration.ts';
import { JwtTokens } from './jwt-tokens.ts';

const issuer = 'https://issuer.example';
const pair = makePair('1');
const token = signedBy(pair, { iss: issuer, aud: 'client', sub: 'jane', exp: 100 });

let providers: ChangingProvider[];
let isAway: boolean;
/** Holds answers of new providers back. */
let gate: Promise<unknown>;
let tokens: JwtTokens;

function file(prefix: string, more = ''): Buffer {
  return Buffer.from(`apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: {url: ${issuer}, audiences: [client]}
  claimMappings: {username: {claim: sub, prefix: "${prefix}"}}
${more}`);
}

function open(): JwtTokens {
  const rules = { disallowedIssuers: ['https://own.example'], hasEgress: true };
  const opened = loadConfiguration(decodeAuthenticationConfiguration(file('a:')), rules);
  return new JwtTokens({
    opened: { ...opened, algorithms: ['ES256'], rules },
    apiAudiences: ['api', 'other'],
    openProvider() {
      const provider = new ChangingProvider(issuer);
      provider.keys = [pair];
      provider.isAway = isAway;
      provider.gate = gate;
      providers.push(provider);
      return provider;
    },
    patienceMs: 0,
    nowMs: () => 0,
    reportError: () => {},
  });
}

async function nameOf(audiences: readonly string[] = []): Promise<string | undefined> {
  return (await tokens.authenticateToken(token, audiences))?.user.name;
}

describe('JwtTokens', () => {
  beforeEach(async () => {
    [providers, isAway, gate] = [[], false, Promise.resolve()];
    tokens = open();
    await providers[0]?.gate;
    // The address of the keys is found in the background.
    while (true) {
      try {
        await nameOf();
        break;
      } catch (error) {
        assert.equal((error as Error).message, 'oidc: authenticator not initialized');
      }
    }
  });
  afterEach(() => tokens.close());

  test('answers for the audiences of the server, with the same user', async () => {
    const first = await tokens.authenticateToken(token, []);
    const second = await tokens.authenticateToken(token, ['x', 'other']);
    assert.deepEqual([first?.audiences, second?.audiences], [['api', 'other'], ['other']]);
    assert.equal(first?.user, second?.user);
    assert.equal(await nameOf(['x']), undefined);
  });

  test('knows an accepted token without asking, and no other', async () => {
    assert.equal((await tokens.known.authenticateToken(token, []))?.user.name, 'a:jane');
    assert.equal(tokens.known.authenticateToken(`${token}A`, []), undefined);
    assert.equal(tokens.known.authenticateToken(token, ['x']), undefined);
  });

  test('answers by the new configuration after a reload, not by what was kept', async () => {
    await tokens.replace(file('b:'));
    assert.equal(tokens.known.authenticateToken(token, []), undefined);
    assert.equal(await nameOf(), 'b:jane');
    assert.equal(providers[0]?.isClosed, true);
  });

  test('drops the answer of an authenticator that a reload replaced meanwhile', async () => {
    await tokens.replace(file('b:'));
    const held = Promise.withResolvers<void>();
    const [, old] = providers;
    assert.ok(old);
    old.gate = held.promise;
    const asked = nameOf();
    await tokens.replace(file('c:'));
    held.resolve();
    assert.equal(await asked, 'c:jane');
  });

  test('keeps out a configuration whose provider is away, for a later attempt', async () => {
    isAway = true;
    await assert.rejects(tokens.replace(file('b:')), NotYetUsableError);
    assert.equal(await nameOf(), 'a:jane');
    assert.equal(providers[1]?.isClosed, true);
  });

  test('ends a reload that waits for its provider when it closes', async () => {
    gate = new Promise(() => undefined);
    const reloading = tokens.replace(file('b:'));
    tokens.close();
    await assert.rejects(reloading);
    assert.equal(providers[1]?.isClosed, true);
  });

  test('refuses a reload that changes who is anonymous, or names an issuer of service accounts', async () => {
    await assert.rejects(tokens.replace(file('b:', 'anonymous: {enabled: true}')), {
      message: 'anonymous: Forbidden: changed from initial configuration file',
    });
    await assert.rejects(tokens.replace(Buffer.from(file('b:').toString().replace(issuer, 'https://own.example'))), {
      message:
        'jwt[0].issuer.url: Invalid value: "https://own.example": URL must not overlap with disallowed issuers: [https://own.example]',
    });
    assert.equal(await nameOf(), 'a:jane');
  });
});
