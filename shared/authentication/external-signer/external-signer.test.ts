import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { LegacyTokenUses } from '#shared/authentication/service-account/legacy-token-uses.ts';
import { keySigner, ServiceAccountTokens } from '#shared/authentication/service-account/service-account-tokens.ts';
import { ServiceAccountTokenAuthenticator } from '#shared/authentication/service-account/token-authenticator.ts';
import { FakeBoundObjects } from '#shared/authentication/testing/fake-bound-objects.ts';
import type { GrpcFailure } from '#shared/grpc/testing/grpc-server.ts';
import { openExternalSigner, type OpenedSigner } from './open-external-signer.ts';
import type { KeysAnswer, SignerKey } from './signer-messages.ts';
import { ScriptedSigner, type SignerScript } from './testing/scripted-signer.ts';

/** What upstream's plugin made of a signer (test/recorders/operator-tokens). */
interface Recorded {
  readonly keys: readonly { readonly id: string; readonly key: string; readonly excluded?: boolean }[] | null;
  readonly seconds: number;
  readonly nanos?: number;
  readonly noTime?: boolean;
  readonly refreshHint: number;
  readonly header: string;
  readonly signature: string;
  readonly fetchError?: readonly [number, string];
  readonly signError?: readonly [number, string];
  readonly error?: string;
}

const recorded = JSON.parse(
  readFileSync(new URL('testdata/verdicts.json', import.meta.url), 'utf8'),
) as readonly Recorded[];

const logger = { error: () => {} };

function failure([code, description]: readonly [number, string]): GrpcFailure {
  return { code, description };
}

function keysOf({ keys, seconds, nanos = 0, noTime, refreshHint }: Recorded): KeysAnswer {
  return {
    keys: (keys ?? []).map(({ id, key, excluded = false }) => ({
      keyId: id,
      key: Buffer.from(key, 'hex'),
      excludeFromOidcDiscovery: excluded,
    })),
    dataTimestamp: noTime === true ? undefined : { seconds, nanos },
    refreshHintSeconds: refreshHint,
  };
}

async function withSigner<T>(
  script: Partial<SignerScript>,
  body: (signer: OpenedSigner) => Promise<T>,
  maxTokenExpirationMs = 0,
): Promise<T> {
  const first = recorded[0];
  assert.ok(first);
  const scripted = new ScriptedSigner({
    fetchKeys: () => keysOf(first),
    sign: () => first,
    metadata: () => ({ maxTokenExpirationSeconds: 7200 }),
    ...script,
  });
  await scripted.open();
  let signer: OpenedSigner | undefined;
  try {
    const flags = {
      serviceAccountSigningEndpoint: scripted.socket,
      serviceAccountMaxTokenExpiration: maxTokenExpirationMs,
    };
    signer = await openExternalSigner(flags, logger);
    return await body(signer);
  } finally {
    signer?.close();
    await scripted.close();
  }
}

describe('openExternalSigner', () => {
  test('accepts and refuses answers of signers as upstream does', async () => {
    for (const one of recorded) {
      const { fetchError, signError, header, signature } = one;
      const error = await withSigner(
        {
          fetchKeys: () => (fetchError ? failure(fetchError) : keysOf(one)),
          sign: () => (signError ? failure(signError) : { header, signature }),
        },
        async ({ signer }) => void (await signer.sign({ sub: 'system:serviceaccount:a:b' })),
      ).catch((thrown: unknown) => (thrown as Error).message.replace(/^.*while setting up external-jwt-signer: /, ''));
      assert.equal(error, one.error, JSON.stringify(one));
    }
    assert.ok(recorded.length > 30);
  });

  test('takes the shorter of both longest lives, and refuses a flag that is above the signer', async () => {
    const secondsOf = (flagMs: number): Promise<number> =>
      withSigner({}, ({ maxSeconds }) => Promise.resolve(maxSeconds), flagMs);
    assert.deepEqual([await secondsOf(0), await secondsOf(3_600_000)], [7200, 3600]);
    await assert.rejects(secondsOf(7_201_000), /cannot be set longer than .*: 2h0m1s > 2h0m0s$/);
    const short = withSigner({ metadata: () => ({ maxTokenExpirationSeconds: 599 }) }, () => Promise.resolve());
    await assert.rejects(short, /\(599s\) is less than acceptable \(min 600s\)$/);
  });

  test('verifies tokens by keys that the signer has only since the token came, and publishes those that it may', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = publicKey.export({ type: 'spki', format: 'der' });
    const keys: SignerKey[] = [...keysOf(recorded[0] as Recorded).keys];
    const answer = (): KeysAnswer => ({
      keys: [...keys],
      dataTimestamp: { seconds: 1, nanos: 0 },
      refreshHintSeconds: 60,
    });
    await withSigner({ fetchKeys: answer }, async (signer) => {
      const objects = new FakeBoundObjects();
      objects.put('serviceaccounts', { metadata: { name: 'b', namespace: 'a', uid: '1' } });
      const issuer = 'https://issuer';
      const authenticator = new ServiceAccountTokenAuthenticator({
        issuers: [issuer],
        keys: signer.keys,
        apiAudiences: [issuer],
        lookup: true,
        uses: new LegacyTokenUses(() => {}),
        count: () => {},
      });
      const own = keySigner({ algorithm: 'ES256', keyId: 'new', publicKey, privateKey });
      const order = {
        namespace: 'a',
        serviceAccount: { name: 'b', uid: '1' },
        audiences: [issuer],
        expirationSeconds: 600,
      };
      const { token } = await new ServiceAccountTokens(issuer, own).issue(order);
      const ask = async (): Promise<string | undefined> =>
        (await authenticator.checkToken(token, [], objects.read))?.user.name;
      await assert.rejects(ask(), /invalid signature, no keys found/);
      keys.push({ keyId: 'new', key, excludeFromOidcDiscovery: true });
      assert.equal(await ask(), 'system:serviceaccount:a:b');
      assert.deepEqual(
        signer.keys.published.map(({ keyId }) => keyId),
        ['a'],
      );
      assert.equal(signer.keys.maxAgeSeconds, 59);
    });
  });
});
