import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { decodeAuthenticationConfiguration } from '#shared/authentication/configuration/decode-authentication-configuration.ts';
import { loadConfiguration } from '#shared/authentication/configuration/load-configuration.ts';
import { AuthenticationError, type AuthenticationAnswer } from '#shared/authentication/contract/authenticator.ts';
import { RecordedProvider, type ProviderAnswers } from '#shared/authentication/testing/recorded-provider.ts';
import type { UserInfo } from '#shared/request/user.ts';
import { JwtAuthenticators } from './jwt-authenticators.ts';

/** A token of upstream's tests (test/recorders/authentication). */
interface RecordedToken {
  readonly name: string;
  readonly url: string;
  readonly configuration: { readonly jwt: readonly { readonly issuer: { readonly url: string } }[] };
  readonly token: string;
  readonly algorithms: readonly string[] | null;
  /** Whether the keys were fetched, instead of given. */
  readonly remote: boolean;
  readonly keys: string;
  readonly answers: ProviderAnswers;
  readonly now?: number;
  readonly skipped: boolean;
  readonly user?: { readonly [K in keyof UserInfo]: UserInfo[K] | null };
  readonly error?: string;
}

const recorded = JSON.parse(
  readFileSync(new URL('testdata/tokens.json', import.meta.url), 'utf8'),
) as readonly RecordedToken[];

function providerOf({ remote, configuration, keys, answers, name }: RecordedToken): RecordedProvider {
  if (remote) return new RecordedProvider(answers);
  const issuer = configuration.jwt[0]?.issuer.url ?? '';
  const path = `${new URL(issuer).pathname.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const document = JSON.stringify({ issuer, jwks_uri: 'https://provider.example/keys' });
  return new RecordedProvider({
    [path]: { status: 200, body: document },
    '/keys': { status: 200, body: keys },
    ...(name.includes('invalid client') ? {} : answers),
  });
}

function open(line: RecordedToken): JwtAuthenticators {
  const configuration = decodeAuthenticationConfiguration(Buffer.from(JSON.stringify(line.configuration)));
  const { authenticators } = loadConfiguration(configuration, { disallowedIssuers: [], hasEgress: true });
  const provider = providerOf(line);
  return new JwtAuthenticators(authenticators, {
    algorithms: line.algorithms ?? ['RS256'],
    openProvider: () => provider,
    egress: () => () => Promise.reject(new Error('the recorded provider is not dialed')),
    nowMs: () => line.now ?? 0,
    reportError: () => {},
  });
}

/** Issuers of distributed claims are found in the background. */
async function authenticate(authenticators: JwtAuthenticators, token: string): Promise<AuthenticationAnswer> {
  await authenticators.attempted();
  for (let attempt = 1; ; attempt++) {
    try {
      return await authenticators.authenticate(token);
    } catch (error) {
      if (attempt === 10 || !/verifier not initialized/.test((error as Error).message)) throw error;
    }
  }
}

/** The texts for signatures are those of the tests' own key set. */
function shown(message: string): string {
  return message.replace(/(failed to verify signature: ).*/, '$1…');
}

describe('JwtAuthenticators', () => {
  for (const line of recorded) {
    const verdict = line.error === undefined ? (line.skipped ? 'leaves' : 'accepts') : 'refuses';
    test(`${verdict} the token as upstream's authenticator does: ${line.name}`, async () => {
      const authenticators = open(line);
      try {
        const answer = await authenticate(authenticators, line.token);
        assert.equal(line.error, undefined);
        const { user } = line;
        assert.deepEqual(
          answer?.user,
          user && { name: user.name, uid: user.uid, groups: user.groups ?? [], extra: user.extra ?? {} },
        );
      } catch (error) {
        if (!(error instanceof AuthenticationError)) throw error;
        assert.equal(shown(error.message), shown(line.error ?? 'none'));
      } finally {
        authenticators.close();
      }
    });
  }
});
