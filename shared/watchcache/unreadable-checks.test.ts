import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeThing, thing } from './testing/json-entries.ts';
import { MemoryStorage } from './testing/memory-storage.ts';
import { UnreadableObjects } from './unreadable-objects.ts';

test('UnreadableObjects, the last of very many became readable, asks for a reload', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const storage = new MemoryStorage();
  const keys = Array.from({ length: 250 }, (_, at) => `/things/a/${at}`);
  for (const key of keys) await storage.create(key, thing({}));
  const last = keys.at(-1);
  const reload = Promise.withResolvers<void>();
  const rounds = { looked: 0, isAsked: false };
  const unreadable = new UnreadableObjects(
    {
      storage,
      *decodeInSteps(kv) {
        rounds.looked++;
        yield;
        if (kv.key !== last) throw new Error('no key for it');
        return decodeThing(kv);
      },
    },
    () => reload.resolve(),
  );
  t.after(() => unreadable.close());
  unreadable.replace(new Set(keys));
  void reload.promise.then(() => (rounds.isAsked = true));
  for (let round = 0; round < 3; round++) {
    const before = rounds.looked;
    t.mock.timers.tick(10_000);
    while (!rounds.isAsked && rounds.looked < Math.min(before + 100, keys.length))
      await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal(rounds.isAsked, true);
  assert.equal(rounds.looked, keys.length);
});
