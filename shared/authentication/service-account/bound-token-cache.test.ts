import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { AuthenticationError, type AuthenticationAnswer } from '#shared/authentication/contract/authenticator.ts';
import { FakeBoundObjects } from '#shared/authentication/testing/fake-bound-objects.ts';
import { TokenCacheMetrics } from '#shared/authentication/token-cache/token-cache-metrics.ts';
import type { ReadBoundObject } from './bound-objects.ts';
import { BoundTokenCache } from './bound-token-cache.ts';

let objects: FakeBoundObjects;
let cache: BoundTokenCache;
let nowMs: number;
/** Resolves when the read of a check may end. */
let gate: Promise<void>;

/** Tokens are `name.pod`, for a pod of that name. */
async function checkToken(
  token: string,
  audiences: readonly string[],
  read: ReadBoundObject,
): Promise<AuthenticationAnswer> {
  const [name = '', pod = ''] = token.split('.');
  const found = await read('pods', 'default', pod);
  await gate;
  if (found === undefined) throw new AuthenticationError('gone');
  return { user: { name, uid: found.metadata.uid ?? '', groups: [], extra: {} }, audiences };
}

/** The uid for which the token is good. */
async function uidOf(token: string, ...audiences: string[]): Promise<string> {
  const answer = await cache.authenticateToken(token, audiences);
  return answer?.user.uid ?? 'none';
}

function putPod(name: string, uid = '1'): void {
  objects.put('pods', { metadata: { name, namespace: 'default', uid } });
}

beforeEach(() => {
  objects = new FakeBoundObjects();
  nowMs = 0;
  gate = Promise.resolve();
  cache = new BoundTokenCache({ checkToken }, objects, new TokenCacheMetrics(), () => nowMs);
  for (const name of ['p', 'q']) putPod(name);
});

describe('BoundTokenCache', () => {
  test('reads nothing for ten seconds while deletions are heard of', async () => {
    for (const ms of [0, 1, 9_999]) {
      nowMs = ms;
      assert.equal(await uidOf('alice.p'), '1');
    }
    assert.equal(objects.reads, 1);
    nowMs = 10_000;
    assert.equal(await uidOf('alice.p'), '1');
    assert.equal(objects.reads, 2);
  });

  test('refuses the tokens of a deleted object at once, and keeps those of others', async () => {
    for (const token of ['alice.p', 'bob.p', 'carol.q']) await uidOf(token);
    await uidOf('alice.p', 'vault');
    objects.delete('pods', 'default', 'p');
    for (const token of ['alice.p', 'bob.p']) await assert.rejects(uidOf(token), AuthenticationError);
    await assert.rejects(uidOf('alice.p', 'vault'), AuthenticationError);
    const { reads } = objects;
    assert.equal(await uidOf('carol.q'), '1');
    assert.equal(objects.reads, reads);
  });

  test('checks again for an object that was deleted and made again', async () => {
    await uidOf('alice.p');
    objects.delete('pods', 'default', 'p');
    putPod('p', '2');
    assert.equal(await uidOf('alice.p'), '2');
  });

  test('keeps no check whose object is deleted after it was read', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    const early = uidOf('alice.p');
    objects.delete('pods', 'default', 'p');
    const late = uidOf('alice.p');
    resolve();
    assert.equal(await early, '1');
    await assert.rejects(late, AuthenticationError);
    await assert.rejects(uidOf('alice.p'), AuthenticationError);
  });

  test('counts a check for one second while deletions are not heard of', async () => {
    await uidOf('alice.p');
    objects.isCurrent = false;
    objects.delete('pods', 'default', 'p');
    nowMs = 999;
    assert.equal(await uidOf('alice.p'), '1');
    nowMs = 1000;
    await assert.rejects(uidOf('alice.p'), AuthenticationError);
  });

  test('forgets all checks after a gap', async () => {
    await uidOf('alice.p');
    objects.isCurrent = false;
    objects.delete('pods', 'default', 'p');
    objects.isCurrent = true;
    objects.gap();
    await assert.rejects(uidOf('alice.p'), AuthenticationError);
  });

  test('shares a check among concurrent calls', async () => {
    assert.deepEqual(await Promise.all(['alice.p', 'alice.p', 'alice.p'].map((token) => uidOf(token))), [
      '1',
      '1',
      '1',
    ]);
    assert.equal(objects.reads, 1);
  });

  test('keeps tokens and audiences apart', async () => {
    assert.deepEqual([await uidOf('a.p'), await uidOf('a.p', 'b'), await uidOf('a.p', 'b', '')], ['1', '1', '1']);
    assert.equal(objects.reads, 3);
  });
});
