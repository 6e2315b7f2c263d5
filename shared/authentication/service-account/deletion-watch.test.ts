import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MemoryStorage } from '#shared/watchcache/testing/memory-storage.ts';
import { DeletionWatch } from './deletion-watch.ts';

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

describe('DeletionWatch', () => {
  test('tells deletions below its prefix, and is current for a second after it heard of storage', async () => {
    const storage = new MemoryStorage();
    const told: string[] = [];
    let nowMs = 0;
    const listener = { onDeleted: (key: string) => void told.push(key), onGap: () => void told.push('gap') };
    const watch = new DeletionWatch(storage, '/pods/', listener, () => nowMs);
    assert.equal(watch.isCurrent, false);
    const { revision } = await storage.create('/pods/a/x', Buffer.alloc(0));
    const other = await storage.create('/secrets/a/x', Buffer.alloc(0));
    await settle();
    // Asks for progress: it has heard nothing yet.
    assert.equal(watch.isCurrent, false);
    await settle();
    assert.equal(watch.isCurrent, true);
    await storage.compareAndDelete('/pods/a/x', revision);
    await storage.compareAndDelete('/secrets/a/x', other.revision);
    await settle();
    assert.deepEqual(told, ['gap', '/pods/a/x']);
    nowMs = 999;
    storage.holdWatches = true;
    assert.equal(watch.isCurrent, true);
    await settle();
    nowMs = 1001;
    assert.equal(watch.isCurrent, false, 'the connection hangs');
    storage.holdWatches = false;
    nowMs = 2000;
    assert.equal(watch.isCurrent, false);
    await settle();
    assert.equal(watch.isCurrent, true);
    watch.close();
    assert.equal(watch.isCurrent, false);
  });

  test('begins again, and tells the gap, after its revision was compacted', async () => {
    const storage = new MemoryStorage();
    const told: string[] = [];
    const listener = { onDeleted: (key: string) => void told.push(key), onGap: () => void told.push('gap') };
    const watch = new DeletionWatch(storage, '/pods/', listener);
    const { revision } = await storage.create('/pods/a/x', Buffer.alloc(0));
    await settle();
    storage.breakWatches();
    await settle();
    await storage.compareAndDelete('/pods/a/x', revision);
    await settle();
    assert.deepEqual(told, ['gap', 'gap', '/pods/a/x']);
    watch.close();
  });
});
