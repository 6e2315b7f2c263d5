import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import { hasReason } from '#shared/apimachinery/errors/status.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { StorageError, UnreadableError, type StoredKeyValue } from '#shared/storage/storage.ts';
import { MemoryStorage } from '#shared/watchcache/testing/memory-storage.ts';
import { createRestResources, type RestResources } from './create-rest-resources.ts';
import type { ResourceStore } from './resource-store.ts';
import { systemContext } from './system-context.ts';

/** Storage of which some values become unreadable when a key is taken away. */
class LosingStorage extends MemoryStorage {
  readonly lost = new Set<string>();
  losses = 0;
  reads = 0;

  countLosses(): () => number {
    const before = this.losses;
    return () => this.losses - before;
  }

  lose(...keys: readonly string[]): void {
    this.losses++;
    for (const key of keys) this.lost.add(key);
  }

  override async get(key: string): Promise<{ readonly kv?: StoredKeyValue; readonly revision: number }> {
    this.reads++;
    if (this.lost.has(key)) throw new UnreadableError('no matching prefix found', { key, storedKey: key, revision: 1 });
    return super.get(key);
  }
}

const context = systemContext({ namespace: 'n', subresource: '' });
const named = (name: string): KubeObject => asKubeObject({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
const isUnreadable = (error: unknown): boolean => error instanceof StorageError && error.code === 'Unreadable';

describe('objects whose keys were taken away', () => {
  let storage: LosingStorage;
  let resources: RestResources;
  let store: ResourceStore;

  beforeEach(async () => {
    mock.method(performance, 'now', () => nowMs);
    nowMs = 1_000;
    storage = new LosingStorage();
    const options = { facts: loadFacts(), definitions: [], servesGroup: (group: string) => group === '' };
    resources = createRestResources({ storage, ...options });
    store = resources.store('', 'configmaps');
    for (const name of ['lost', 'kept']) await store.create(named(name), context);
    await store.cache.waitForCurrent();
  });

  afterEach(() => {
    resources.caches.close();
    mock.restoreAll();
  });

  let nowMs = 0;

  test('cannot be read, though the cache has them; others are read once more', async () => {
    await store.get('n', 'lost');
    assert.equal(storage.reads, 0);
    storage.lose('/configmaps/n/lost');
    for (let times = 0; times < 2; times++) await assert.rejects(store.get('n', 'lost'), isUnreadable);
    storage.reads = 0;
    for (let times = 0; times < 2; times++) assert.equal((await store.get('n', 'kept')).name, 'kept');
    assert.equal(storage.reads, 1);
    assert.equal(store.cache.snapshot().size, 2);
    storage.lose('/configmaps/n/kept');
    await assert.rejects(store.get('n', 'kept'), isUnreadable);
  });

  test('cannot be deleted, but updated from what the cache has', async () => {
    storage.lose('/configmaps/n/lost');
    await assert.rejects(store.delete('lost', {}, context), (error) => hasReason(error, 'InternalError'));
    const transform = (existing?: KubeObject): KubeObject => {
      assert.ok(existing !== undefined);
      existing.metadata.labels = { a: 'b' };
      return existing;
    };
    const { entry } = await store.update({ name: 'lost', subresource: '', transform }, context);
    assert.deepEqual(entry.labels, { a: 'b' });
    assert.equal((await store.delete('kept', {}, context)).deleted, true);
  });

  test('are those written until a minute after; later ones are not read again', async () => {
    storage.lose();
    await store.get('n', 'kept');
    const read = async (name: string): Promise<number> => {
      await store.create(named(name), context);
      storage.reads = 0;
      await store.get('n', name);
      return storage.reads;
    };
    assert.equal(await read('soon'), 1);
    nowMs += 60_001;
    await store.get('n', 'kept');
    await store.get('n', 'lost');
    assert.equal(await read('late'), 0);
  });
});
