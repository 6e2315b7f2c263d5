import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultClass } from '#servers/core/admission/contract/default-class.ts';
import { FakeCaches } from '#shared/admission/testing/fake-caches.ts';
import { ObjectLister } from './object-lister.ts';

test('a lister follows the cache, each namespace by itself', async () => {
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

test('an object that the cache lacks is looked for in storage', async () => {
  const caches = new FakeCaches();
  caches.onCurrent('', 'nodes', () => caches.put('', 'nodes', { metadata: { name: 'n' } }));
  const lister = new ObjectLister(caches, '', 'nodes', 'minions');
  assert.equal(await lister.get('', 'n'), undefined);
  assert.equal((await lister.getFresh('', 'n'))?.metadata.name, 'n');
  assert.equal(await lister.get('', 'n'), await lister.get('', 'n'));
});

test('of several default classes the newest counts, then the first by name', () => {
  const made = (
    name: string,
    creationTimestamp: string,
    value = 'true',
  ): { metadata: { name: string; creationTimestamp: string; annotations: Record<string, string> } } => ({
    metadata: { name, creationTimestamp, annotations: { d: value } },
  });
  const classes = [
    made('old', '2026-01-01T00:00:00Z'),
    made('b', '2026-01-02T00:00:00Z'),
    made('a', '2026-01-02T00:00:00Z'),
    made('no', '2026-01-03T00:00:00Z', 'false'),
  ];
  assert.equal(defaultClass(classes, 'd')?.metadata.name, 'a');
  assert.equal(defaultClass(classes, 'other'), undefined);
});
