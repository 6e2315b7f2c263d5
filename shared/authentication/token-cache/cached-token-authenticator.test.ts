import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  AuthenticationError,
  type AuthenticationAnswer,
  type AuthenticationResult,
  type TokenAuthenticator,
} from '#shared/authentication/contract/authenticator.ts';
import { cachedTokenAuthenticator, type TokenCacheOptions } from './cached-token-authenticator.ts';

const result = (name: string): AuthenticationResult => ({ user: { name, uid: '', groups: [], extra: {} } });

interface Cached {
  readonly cached: TokenAuthenticator;
  /** The tokens that were asked for. */
  readonly asked: string[];
  readonly clock: { nowMs: number };
}

/** Caches an authenticator that knows tokens which begin with `good`, and fails for those which begin with `broken`. */
function open(options: TokenCacheOptions, slow: boolean): Cached {
  const asked: string[] = [];
  const clock = { nowMs: 0 };
  const answerTo = (token: string): AuthenticationAnswer => {
    asked.push(token);
    if (token.startsWith('broken')) throw new AuthenticationError('broken');
    return token.startsWith('good') ? result(token) : undefined;
  };
  const inner: TokenAuthenticator = {
    authenticateToken: (token) => (slow ? Promise.resolve().then(() => answerTo(token)) : answerTo(token)),
  };
  return { cached: cachedTokenAuthenticator(inner, { ...options, now: () => clock.nowMs }), asked, clock };
}

describe('cachedTokenAuthenticator', () => {
  for (const slow of [false, true]) {
    const how = slow ? 'later' : 'at once';
    test(`keeps accepted and unknown tokens for their times, and no errors (${how})`, async () => {
      const { cached, asked, clock } = open({ acceptedMs: 100, unknownMs: 50 }, slow);
      const ask = async (): Promise<void> => {
        assert.equal((await cached.authenticateToken('good', []))?.user.name, 'good');
        assert.equal(await cached.authenticateToken('unknown', []), undefined);
        await assert.rejects(async () => cached.authenticateToken('broken', []), { message: 'broken' });
      };
      await ask();
      clock.nowMs = 49;
      await ask();
      assert.deepEqual(asked.splice(0), ['good', 'unknown', 'broken', 'broken']);
      clock.nowMs = 50;
      await ask();
      assert.deepEqual(asked.splice(0), ['unknown', 'broken']);
      clock.nowMs = 100;
      await ask();
      assert.deepEqual(asked, ['good', 'unknown', 'broken']);
    });
  }

  test('keeps nothing for a time of 0', async () => {
    const { cached, asked } = open({ acceptedMs: 0 }, false);
    for (let count = 0; count < 2; count++) await cached.authenticateToken('good', []);
    for (let count = 0; count < 2; count++) await cached.authenticateToken('unknown', []);
    assert.equal(asked.length, 4);
  });

  test('shares one look-up between concurrent callers', async () => {
    const { cached, asked } = open({ acceptedMs: 100 }, true);
    await Promise.all([cached.authenticateToken('good', []), cached.authenticateToken('good', [])]);
    assert.equal(asked.length, 1);
  });

  test('gives the same user at each use, since authorizers key their caches by it', async () => {
    const { cached } = open({ acceptedMs: 100 }, true);
    const [first, second] = [await cached.authenticateToken('good', []), await cached.authenticateToken('good', [])];
    assert.equal(first?.user, second?.user);
  });

  test('distinguishes a token with audiences from their concatenation', async () => {
    const { cached, asked } = open({ acceptedMs: 100 }, false);
    assert.equal((await cached.authenticateToken('goodb', []))?.user.name, 'goodb');
    assert.equal((await cached.authenticateToken('good', ['b']))?.user.name, 'good');
    assert.equal((await cached.authenticateToken('good', ['b', '']))?.user.name, 'good');
    assert.equal(asked.length, 3);
  });

  test('drops no accepted token for many that are unknown', async () => {
    const { cached, asked } = open({ acceptedMs: 100, unknownMs: 100 }, false);
    await cached.authenticateToken('good', []);
    for (let count = 0; count < 10_000; count++) await cached.authenticateToken(`x${count}`, []);
    asked.length = 0;
    await cached.authenticateToken('good', []);
    assert.deepEqual(asked, []);
  });
});
