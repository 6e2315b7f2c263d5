import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Storage } from '#shared/storage/storage.ts';
import { PartitionedStorage, storageOf } from './partitioned-storage.ts';

function recorded(name: string, calls: string[]): Storage {
  return new Proxy({} as Storage, {
    get: (_target, method) => async (key: unknown) =>
      void calls.push(`${name}.${String(method)} ${typeof key === 'string' ? key : ''}`),
  });
}

describe('PartitionedStorage', () => {
  test('routes keys by their resource, and rejects transactions across several etcds', async () => {
    const calls: string[] = [];
    const [main, other] = [recorded('main', calls), recorded('other', calls)];
    const storage = new PartitionedStorage(main, new Map([['events', other]]));
    await storage.get('/events/default/a');
    await storage.get('/eventsources/default/a');
    await storage.list('/events/');
    await storage.compareAndDelete('/pods/default/a', 1);
    await storage.currentRevision();
    assert.equal(storageOf(storage, 'events'), other);
    assert.equal(storageOf(storage, 'pods'), main);
    assert.equal(storageOf(main, 'events'), main);
    await assert.rejects(storage.transact([{ key: '/events/a' }, { key: '/pods/a' }]), /several etcds/);
    assert.deepEqual(calls, [
      'other.get /events/default/a',
      'main.get /eventsources/default/a',
      'other.list /events/',
      'main.compareAndDelete /pods/default/a',
      'main.currentRevision ',
    ]);
  });
});
