import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FakeCaches } from '#shared/admission/testing/fake-caches.ts';
import { ObjectLister } from './object-lister.ts';

describe('ObjectLister', () => {
  test("lists the cache's objects of one namespace, and follows its changes", async () => {
    const caches = new FakeCaches();
    caches.put('', 'limitranges', { metadata: { name: 'b', namespace: 'x' } });
    const lister = new ObjectLister(caches, '', 'limitranges');
    assert.ok(!lister.isReady());
    await lister.ready();
    caches.put('', 'limitranges', { metadata: { name: 'a', namespace: 'x' } });
    assert.deepEqual(
      lister.list('x').map(({ metadata }) => metadata.name),
      ['a', 'b'],
    );
    assert.ok(!lister.hasAny('y'));
    caches.remove('', 'limitranges', 'x', 'a');
    caches.remove('', 'limitranges', 'x', 'b');
    assert.ok(!lister.hasAny('x'));
  });

  test('reads an object that the cache lacks from storage in getFresh()', async () => {
    const caches = new FakeCaches();
    caches.onCurrent('', 'nodes', () => caches.put('', 'nodes', { metadata: { name: 'n' } }));
    const lister = new ObjectLister(caches, '', 'nodes', 'minions');
    assert.equal(await lister.get('', 'n'), undefined);
    assert.equal((await lister.getFresh('', 'n'))?.metadata.name, 'n');
    assert.equal(await lister.get('', 'n'), await lister.get('', 'n'));
  });
});
