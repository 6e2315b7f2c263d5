import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { NodeFakeCaches } from '#shared/authorization/testing/fake-caches.ts';
import type { RelationPart } from './node-uses.ts';
import { ObjectFollower } from './object-follower.ts';

const named = (name: string): KubeObject => asKubeObject({ metadata: { name } });

describe('ObjectFollower', () => {
  test('reports changes that it missed while its watch was lost once the watch is back', async () => {
    const caches = new NodeFakeCaches();
    const namesByKey = new Map<string, string>();
    const part: RelationPart = {
      put: (key, { metadata }) => void namesByKey.set(key, metadata.name ?? ''),
      remove: (key) => void namesByKey.delete(key),
      keys: () => namesByKey.keys(),
    };
    caches.put('', 'pods', named('old'));
    caches.put('', 'pods', named('gone'));
    const follower = new ObjectFollower(caches, '', 'pods', part);
    await follower.ready();
    caches.put('', 'pods', named('new'));
    assert.deepEqual([...namesByKey.values()], ['old', 'gone', 'new']);
    caches.loseWatches('', 'pods');
    caches.remove('', 'pods', '', 'gone');
    caches.put('', 'pods', named('missed'));
    assert.deepEqual([...namesByKey.values()], ['old', 'gone', 'new']);
    while (!namesByKey.has('/pods//missed')) await sleep(10);
    assert.deepEqual([...namesByKey.values()], ['old', 'new', 'missed']);
    follower.close();
  });
});
