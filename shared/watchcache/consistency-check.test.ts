import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { processRegistry } from '#shared/observability/metrics/process-registry.ts';
import { ConsistencyCheck, type ConsistencyCheckOptions } from './consistency-check.ts';
import { createWatchCache } from './create-watch-cache.ts';
import { decodeThing, thing } from './testing/json-entries.ts';
import { MemoryStorage } from './testing/memory-storage.ts';
import type { WatchCache } from './watch-cache.ts';

const prefix = '/things/';

interface Checked {
  readonly storage: MemoryStorage;
  readonly cache: WatchCache;
  readonly check: ConsistencyCheck;
  readonly errors: string[];
  /** What was counted, by status. */
  readonly counted: () => Record<string, number>;
}

let resources = 0;

/** A cache of some things, and its check. `storage` is what the check compares the cache with. */
async function checked(compared?: ConsistencyCheckOptions['storage']): Promise<Checked> {
  const storage = new MemoryStorage();
  for (const name of ['default/a', 'default/b', 'other/a']) await storage.create(prefix + name, thing({ name }));
  const cache = createWatchCache({ storage, prefix, decode: decodeThing });
  const measured = { group: 'g', resource: `things${resources++}` };
  const errors: string[] = [];
  const reportError = (error: unknown): void => void errors.push((error as Error).message);
  const check = new ConsistencyCheck({ cache, storage: compared ?? storage, prefix, measured, reportError });
  const counted = (): Record<string, number> => {
    const family = processRegistry.families().find(({ name }) => name === 'apiserver_storage_consistency_checks_total');
    const own = [...(family?.samples() ?? [])].filter(({ labels }) => labels[1] === measured.resource);
    return Object.fromEntries(own.map(({ labels, value }) => [labels[2], Number(value)]));
  };
  return { storage, cache, check, errors, counted };
}

function close({ cache, check }: Checked): void {
  check.close();
  cache.close();
}

describe('ConsistencyCheck', () => {
  test('counts a cache that equals storage, also with more keys than a page has', async () => {
    const one = await checked();
    const { storage, cache, check, counted, errors } = one;
    for (let index = 0; index < 2100; index++) await storage.create(`${prefix}many/${index}`, thing({}));
    await cache.ready();
    await check.check();
    await storage.compareAndDelete(`${prefix}default/a`, cache.get(`${prefix}default/a`)?.revision ?? 0);
    await check.check();
    assert.deepEqual([counted(), errors], [{ success: 2 }, []]);
    close(one);
  });

  test('takes keys in another order than that of JavaScript as they come', async () => {
    const one = await checked();
    const { storage, cache, check, counted } = one;
    // In UTF-8 the first comes first, in UTF-16 the second.
    const names = ['\uff5e', '\u{10000}'];
    for (const name of names) await storage.create(`${prefix}x/${name}`, thing({}));
    const list = storage.list.bind(storage);
    storage.list = async (...parameters) => {
      const { items, ...rest } = await list(...parameters);
      const inBytes = items.toSorted((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
      return { ...rest, items: inBytes };
    };
    await cache.ready();
    await check.check();
    assert.deepEqual(counted(), { success: 1 });
    close(one);
  });

  const lacks: Record<
    string,
    { readonly change: (storage: MemoryStorage) => Promise<unknown>; readonly says: RegExp }
  > = {
    'an object': {
      change: (storage) => storage.create(`${prefix}default/c`, thing({})),
      says: /storage has \/things\/default\/c at \d+, the cache at undefined$/,
    },
    'a change': {
      change: async (storage) => {
        const { kv } = await storage.get(`${prefix}default/b`);
        await storage.compareAndSwap(`${prefix}default/b`, kv?.modRevision ?? 0, thing({ new: 'yes' }));
      },
      says: /storage has \/things\/default\/b at \d+, the cache at \d+$/,
    },
    'a deletion': {
      change: async (storage) => {
        const { kv } = await storage.get(`${prefix}other/a`);
        await storage.compareAndDelete(`${prefix}other/a`, kv?.modRevision ?? 0);
      },
      says: /storage has 2, the cache 3$/,
    },
  };
  for (const [what, { change, says }] of Object.entries(lacks))
    test(`counts, reports and fills anew a cache that lacks ${what}`, async () => {
      const truth = new MemoryStorage();
      const one = await checked({ list: (under, options) => truth.list(under, { ...options, revision: 0 }) });
      const { cache, check, counted, errors } = one;
      for (const name of ['default/a', 'default/b', 'other/a']) await truth.create(prefix + name, thing({ name }));
      await change(truth);
      await cache.ready();
      const reloads = mock.method(cache, 'reload');
      await check.check();
      assert.deepEqual(counted(), { failure: 1 });
      assert.match(errors.join('\n'), says);
      assert.equal(reloads.mock.callCount(), 1);
      close(one);
    });

  test('counts an error where storage does not answer, and goes on', async () => {
    let isAway = true;
    const one = await checked({
      list: async () => {
        if (isAway) throw new Error('away');
        return { items: [], revision: 1, count: 0, more: false };
      },
    });
    const { cache, check, counted, errors } = one;
    await cache.ready();
    await check.check();
    assert.deepEqual([counted(), errors], [{ error: 1 }, ['away']]);
    isAway = false;
    await check.check();
    assert.deepEqual(counted(), { error: 1, failure: 1 });
    close(one);
  });

  test('counts an error where the cache lacks what cannot be read', async () => {
    const one = await checked();
    const { storage, cache, check, counted, errors } = one;
    await storage.create(`${prefix}default/broken`, Buffer.from('{'));
    await cache.ready();
    await check.check();
    assert.deepEqual([counted(), errors], [{ error: 1 }, ['1 objects cannot be read']]);
    close(one);
  });

  test('counts nothing for a cache that nobody has needed, or that is closed meanwhile', async () => {
    const one = await checked();
    await one.check.check();
    assert.deepEqual(one.counted(), {});
    await one.cache.ready();
    const checking = one.check.check();
    one.check.close();
    await checking;
    assert.deepEqual(one.counted(), {});
    close(one);
  });

  test('checks after five minutes first, and ends when it is closed', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    t.mock.method(Math, 'random', () => 0.5);
    const one = await checked();
    await one.cache.ready();
    t.mock.timers.tick(374_999);
    assert.deepEqual(one.counted(), {});
    t.mock.timers.tick(1);
    while (one.counted()['success'] !== 1) await new Promise((resolve) => setImmediate(resolve));
    close(one);
    t.mock.timers.tick(600_000);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(one.counted(), { success: 1 });
  });
});
