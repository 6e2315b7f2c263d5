import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import { sampleLines } from '#shared/observability/exposition/testing/sample-lines.ts';
import { processRegistry } from '#shared/observability/metrics/process-registry.ts';
import { StorageError, type Storage } from '#shared/storage/storage.ts';
import { MemoryStorage } from '#shared/watchcache/testing/memory-storage.ts';
import { MeasuredStorage } from './measured-storage.ts';
import { callsByKey } from './resource-calls.ts';

const value = new Uint8Array();
const callsOf = callsByKey(loadFacts());

/** The lines of a family that name a resource. */
function linesOf(family: string, resource: string): string[] {
  return sampleLines(...processRegistry.families()).filter(
    (line) => line.startsWith(`${family}{`) && line.includes(`resource="${resource}"`),
  );
}

describe('MeasuredStorage', () => {
  test('counts each call for the resource of its key, as the operation that the reference names', async () => {
    const storage = new MeasuredStorage(new MemoryStorage(), callsOf);
    const { revision } = await storage.create('/deployments/a/b', value);
    await assert.rejects(storage.create('/deployments/a/b', value));
    await storage.get('/deployments/a/b');
    const swapped = await storage.compareAndSwap('/deployments/a/b', revision, value);
    await storage.list('/deployments/');
    await storage.list('/deployments/a/', { onlyCount: true });
    await storage.compareAndDelete('/deployments/a/b', swapped.revision);
    assert.deepEqual(linesOf('etcd_requests_total', 'deployments'), [
      'etcd_requests_total{group="apps",operation="create",resource="deployments"} 2',
      'etcd_requests_total{group="apps",operation="delete",resource="deployments"} 1',
      'etcd_requests_total{group="apps",operation="get",resource="deployments"} 1',
      'etcd_requests_total{group="apps",operation="list",resource="deployments"} 1',
      'etcd_requests_total{group="apps",operation="listWithCount",resource="deployments"} 1',
      'etcd_requests_total{group="apps",operation="update",resource="deployments"} 1',
    ]);
    assert.equal(linesOf('etcd_request_duration_seconds_count', 'deployments').length, 6);
    assert.deepEqual(linesOf('etcd_request_errors_total', 'deployments'), []);
    for (const what of ['total', 'fetched_objects_total', 'evaluated_objects_total', 'returned_objects_total'])
      assert.deepEqual(linesOf(`apiserver_storage_list_${what}`, 'deployments'), [
        `apiserver_storage_list_${what}{group="apps",resource="deployments"} 1`,
      ]);
  });

  test('counts a call that etcd does not answer as an error', async () => {
    const get = (): Promise<never> => Promise.reject(new StorageError('Unavailable', 'away'));
    const storage = new MeasuredStorage({ get } as unknown as Storage, callsOf);
    await assert.rejects(storage.get('/example.com/things/a/b'), { message: 'away' });
    assert.deepEqual(linesOf('etcd_request_errors_total', 'things'), [
      'etcd_request_errors_total{group="example.com",operation="get",resource="things"} 1',
    ]);
  });

  test('names what is no object as the reference does', async () => {
    const storage = new MeasuredStorage(new MemoryStorage(), callsOf);
    await storage.get('/masterleases/127.0.0.1');
    await storage.get('/peerserverleases/a');
    await storage.transact([{ key: '/ranges/servicenodeports', expectedRevision: 0, value }]);
    for (const [resource, operation] of [
      ['apiServerIPInfo', 'get'],
      ['apiServerPeerIPInfo', 'get'],
      ['servicenodeportallocations', 'update'],
    ] as const)
      assert.deepEqual(linesOf('etcd_requests_total', resource), [
        `etcd_requests_total{group="",operation="${operation}",resource="${resource}"} 1`,
      ]);
  });
});
