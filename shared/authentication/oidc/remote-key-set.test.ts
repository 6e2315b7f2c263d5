import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { readSignedToken, type SignedToken } from '#shared/authentication/jwt/signed-token.ts';
import {
  ChangingProvider,
  makePair,
  signedBy,
  type ProviderPair,
} from '#shared/authentication/testing/changing-provider.ts';
import { RemoteKeySet } from './remote-key-set.ts';

const [first, second, foreign] = [makePair('1'), makePair('2'), makePair('1')];
const refused = { name: 'AuthenticationError', message: 'failed to verify id token signature' };

let provider: ChangingProvider;
let keys: RemoteKeySet;
let nowMs: number;
let pauses: number[];

function tokenOf(pair: ProviderPair, header?: object): SignedToken {
  const token = readSignedToken(signedBy(pair, {}, header));
  assert.ok(token);
  return token;
}

describe('RemoteKeySet', () => {
  beforeEach(() => {
    provider = new ChangingProvider('https://issuer.example');
    provider.keys = [first];
    [nowMs, pauses] = [0, []];
    keys = new RemoteKeySet({
      url: 'https://issuer.example/keys',
      client: provider,
      clock: {
        now: () => nowMs,
        pause(ms) {
          pauses.push(ms);
          nowMs += ms;
          return Promise.resolve();
        },
      },
    });
  });

  test('fetches the keys once for tokens that they verify', async () => {
    await Promise.all([keys.verify(tokenOf(first)), keys.verify(tokenOf(first))]);
    await keys.verify(tokenOf(first, {}));
    assert.equal(provider.asked.length, 1);
  });

  test('takes a rotated key at once when a second has passed since the last fetch', async () => {
    await keys.verify(tokenOf(first));
    provider.keys = [second];
    nowMs = 1000;
    await keys.verify(tokenOf(second));
    assert.deepEqual([provider.asked.length, pauses.length], [2, 0]);
  });

  test('refuses another pair that has the id of a known key', async () => {
    await assert.rejects(keys.verify(tokenOf(foreign)), refused);
  });

  test('asks the provider once a second at most for tokens that no key verifies', async () => {
    await keys.verify(tokenOf(first));
    await Promise.all(Array.from({ length: 50 }, () => assert.rejects(keys.verify(tokenOf(second)), refused)));
    assert.deepEqual([provider.asked.length, pauses], [2, [1000]]);
  });

  test('does not ask again while the provider said that its keys stay good', async () => {
    provider.headers = { 'cache-control': 'public, max-age=60' };
    await keys.verify(tokenOf(first));
    provider.keys = [second];
    nowMs = 29_000;
    await assert.rejects(keys.verify(tokenOf(second)), refused);
    assert.equal(provider.asked.length, 1);
    nowMs = 30_000;
    await keys.verify(tokenOf(second));
  });

  test('verifies by keys that are out of date while the provider is away', async () => {
    await keys.verify(tokenOf(first));
    provider.isAway = true;
    nowMs = 100_000;
    await keys.verify(tokenOf(first));
    await assert.rejects(keys.verify(tokenOf(second)), {
      message: 'fetching keys oidc: get keys failed the provider is away',
    });
  });
});
