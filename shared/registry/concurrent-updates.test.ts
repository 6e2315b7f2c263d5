import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import { hasReason } from '#shared/apimachinery/errors/status.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { MemoryStorage } from '#shared/watchcache/testing/memory-storage.ts';
import { createRestResources } from './create-rest-resources.ts';
import type { ResourceStore, WriteResult } from './resource-store.ts';
import { systemContext } from './system-context.ts';
import type { Caller } from './write-turns.ts';

const writers = 100;
const made = (): KubeObject => asKubeObject({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } });

/** Storage whose transactions take a turn of the event loop, so that writes meet. */
class SlowStorage extends MemoryStorage {
  override async transact(
    ...args: Parameters<MemoryStorage['transact']>
  ): Promise<Awaited<ReturnType<MemoryStorage['transact']>>> {
    await new Promise(setImmediate);
    return super.transact(...args);
  }
}

/** Puts stores of ConfigMaps, each of a process of its own, over one storage. */
async function withStores(count: number, use: (stores: readonly ResourceStore[]) => Promise<void>): Promise<void> {
  const storage = new SlowStorage();
  const resources = Array.from({ length: count }, () =>
    createRestResources({ facts: loadFacts(), storage, definitions: [], servesGroup: (group) => group === '' }),
  );
  try {
    await use(resources.map((all) => all.store('', 'configmaps')));
  } finally {
    for (const { caches } of resources) caches.close();
  }
}

/** Updates of one object, each of which adds a label. */
class Labelling {
  computed = 0;

  async add(store: ResourceStore, label: string, createIfMissing = false, caller?: Caller): Promise<WriteResult> {
    const context = { ...systemContext({ namespace: 'n', subresource: '' }), ...(caller && { caller }) };
    return store.update(
      {
        name: 'c',
        subresource: '',
        createIfMissing,
        transform: (existing = made()) => {
          this.computed += 1;
          existing.metadata.labels = { ...existing.metadata.labels, [label]: '' };
          return existing;
        },
      },
      context,
    );
  }
}

const labelsOf = async (store: ResourceStore): Promise<number> =>
  Object.keys(store.parse(await store.get('n', 'c')).metadata.labels ?? {}).length;

describe('updates of one object at once', () => {
  test('all succeed, and each is computed twice at most', () =>
    withStores(1, async ([store]) => {
      assert.ok(store);
      const context = systemContext({ namespace: 'n', subresource: '' });
      await store.create(made(), context);
      const labelling = new Labelling();
      await Promise.all(Array.from({ length: writers }, (_, index) => labelling.add(store, `l${index}`)));
      assert.equal(await labelsOf(store), writers);
      assert.ok(labelling.computed < 2 * writers + 1, `${labelling.computed} computations`);
    }));

  test('that create it: one does, and the others update it', () =>
    withStores(1, async ([store]) => {
      assert.ok(store);
      const labelling = new Labelling();
      const results = await Promise.all(
        Array.from({ length: writers }, (_, index) => labelling.add(store, `l${index}`, true)),
      );
      assert.equal(results.filter(({ created }) => created).length, 1);
      assert.equal(await labelsOf(store), writers);
      assert.ok(labelling.computed < 2 * writers + 1, `${labelling.computed} computations`);
    }));

  test('by two processes all succeed, with some computations for each process', () =>
    withStores(2, async (stores) => {
      const labelling = new Labelling();
      await Promise.all(
        Array.from({ length: writers }, (_, index) =>
          labelling.add(stores[index % 2] as ResourceStore, `l${index}`, true),
        ),
      );
      assert.equal(await labelsOf(stores[0] as ResourceStore), writers);
      assert.ok(labelling.computed < 4 * writers, `${labelling.computed} computations`);
    }));

  test('end without a write for callers that have gone', () =>
    withStores(1, async ([store]) => {
      assert.ok(store);
      await store.create(made(), systemContext({ namespace: 'n', subresource: '' }));
      const caller: Caller = { closed: true, onClose: () => undefined };
      const labelling = new Labelling();
      const outcomes = await Promise.allSettled(
        ['a', 'b', 'c'].map((label) => labelling.add(store, label, false, caller)),
      );
      const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
      assert.ok(failed.every(({ reason }) => hasReason(reason, 'Timeout')));
      assert.deepEqual([failed.length, await labelsOf(store)], [2, 1]);
    }));
});
