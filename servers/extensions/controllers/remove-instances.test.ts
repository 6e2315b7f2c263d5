import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DefinitionView } from '#servers/extensions/facts/definition-view.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { MemoryStorage } from '#shared/watchcache/testing/memory-storage.ts';
import { removeInstances } from './remove-instances.ts';

const definition = { group: 'example.com', names: { plural: 'crontabs' } } as DefinitionView;
const keyOf = (name: string): string => `/example.com/crontabs/default/${name}`;

async function storageOf(...objects: KubeObject[]): Promise<MemoryStorage> {
  const storage = new MemoryStorage();
  for (const object of objects)
    await storage.create(keyOf(object.metadata.name ?? ''), Buffer.from(JSON.stringify(object)));
  return storage;
}

async function stored(storage: MemoryStorage, name: string): Promise<KubeObject | undefined> {
  const { kv } = await storage.get(keyOf(name));
  return kv === undefined ? undefined : (JSON.parse(Buffer.from(kv.value).toString()) as KubeObject);
}

describe('removeInstances', () => {
  test('deletes all custom resources of the definition and no others', async () => {
    const names = Array.from({ length: 1001 }, (_, index) => `a${index}`);
    const storage = await storageOf(...names.map((name) => ({ metadata: { name } })));
    const others = ['/example.com/crontabsx/default/a', '/example.org/crontabs/default/a'];
    for (const key of others) await storage.create(key, Buffer.from('{"metadata":{"name":"a"}}'));
    assert.equal(await removeInstances(storage, definition), 0);
    assert.equal((await storage.list('/example.com/crontabs/')).items.length, 0);
    for (const key of others) assert.ok((await storage.get(key)).kv);
  });

  test('marks one with finalizers as deleted, raises its generation, and counts it as left', async () => {
    const storage = await storageOf({ metadata: { name: 'a', generation: 2, finalizers: ['f'] } });
    assert.equal(await removeInstances(storage, definition), 1);
    const { metadata } = (await stored(storage, 'a')) as KubeObject;
    assert.deepEqual([metadata.generation, metadata.deletionGracePeriodSeconds, metadata.finalizers], [3, 0, ['f']]);
    assert.match(metadata.deletionTimestamp ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });

  test('leaves one as it is that is marked already', async () => {
    const marked = { name: 'a', generation: 2, finalizers: ['f'], deletionTimestamp: '2026-01-01T00:00:00Z' };
    const storage = await storageOf({ metadata: marked });
    assert.equal(await removeInstances(storage, definition), 1);
    assert.deepEqual((await stored(storage, 'a'))?.metadata, marked);
  });

  // As k8s.io/apiserver/pkg/registry/rest/delete.go: only a generation above zero is raised.
  test('gives none to one without a generation', async () => {
    const storage = await storageOf({ metadata: { name: 'a', finalizers: ['f'] } });
    await removeInstances(storage, definition);
    assert.equal((await stored(storage, 'a'))?.metadata.generation, undefined);
  });
});
