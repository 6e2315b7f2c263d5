import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sampleLines } from '#shared/observability/exposition/testing/sample-lines.ts';
import { processRegistry } from '#shared/observability/metrics/process-registry.ts';
import { createWatchCache } from './create-watch-cache.ts';
import { decodeThing, thing } from './testing/json-entries.ts';
import { MemoryStorage } from './testing/memory-storage.ts';
import { RecordingWatch } from './testing/recording-watch.ts';

function countsOf(resource: string): string[] {
  return sampleLines(...processRegistry.families())
    .filter((line) => line.includes(`resource="${resource}"`) && !/_(?:bucket|sum)\{/.test(line))
    .map((line) => line.replace(/\{.*\}/, ''));
}

describe('metrics of what is read from a cache', () => {
  test('count consistent reads, waits and initial events for its resource', async (t) => {
    const storage = new MemoryStorage();
    await storage.create('/things/a/one', thing({}));
    const measured = { group: 'read.example.com', resource: 'reads' };
    const cache = createWatchCache({ storage, prefix: '/things', decode: decodeThing, measured });
    t.after(() => cache.close());
    await cache.waitForCurrent();
    await cache.waitForRevision(1);
    cache.reads?.listed(3, 2);
    cache.reads?.consistentList(true);
    cache.reads?.askedForNewest();
    await new RecordingWatch(cache, { afterRevision: 0, initialEvents: true }).heard(1);
    const counts = countsOf('reads');
    for (const line of [
      'etcd_requests_total 1',
      'etcd_request_duration_seconds_count 1',
      'apiserver_watch_cache_read_wait_seconds_count 2',
      'apiserver_cache_list_total 1',
      'apiserver_cache_list_fetched_objects_total 3',
      'apiserver_cache_list_returned_objects_total 2',
      'apiserver_watch_cache_consistent_read_total 1',
      'apiserver_storage_list_total 1',
      'apiserver_storage_list_fetched_objects_total 0',
      'apiserver_init_events_total 1',
    ])
      assert.ok(counts.includes(line), `${line} in\n${counts.join('\n')}`);
  });

  test('count an object that cannot be decoded', async (t) => {
    const storage = new MemoryStorage();
    await storage.create('/things/a/one', new Uint8Array([1]));
    const measured = { group: 'read.example.com', resource: 'undecodables' };
    const cache = createWatchCache({ storage, prefix: '/things', decode: decodeThing, measured });
    t.after(() => cache.close());
    await cache.ready();
    assert.ok(countsOf('undecodables').includes('apiserver_storage_decode_errors_total 1'));
  });
});
