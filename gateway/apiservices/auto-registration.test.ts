import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import { objectAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { FollowerScope } from '#shared/follow/follower-scope.ts';
import { createRestResources, type RestResources } from '#shared/registry/create-rest-resources.ts';
import type { ResourceStore } from '#shared/registry/resource-store.ts';
import { systemContext } from '#shared/registry/system-context.ts';
import { MemoryStorage } from '#shared/watchcache/testing/memory-storage.ts';
import { apiServiceDefinition } from './api-service-strategy.ts';
import { apiRegistrationGroup } from './api-service.ts';
import { AutoRegistration } from './auto-registration.ts';

const own = { group: 'apps', version: 'v1', groupPriority: 17_800, versionPriority: 15 };
const defined = { group: 'example.com', version: 'v1', groupPriority: 1000, versionPriority: 100, defined: true };
const both = ['v1.apps', 'v1.example.com'];

describe('AutoRegistration', () => {
  let resources: RestResources;
  let store: ResourceStore;
  let scope: FollowerScope;
  let registration: AutoRegistration;

  beforeEach(async () => {
    resources = createRestResources({
      facts: loadFacts(),
      storage: new MemoryStorage(),
      definitions: [apiServiceDefinition],
      servesGroup: (group) => group === apiRegistrationGroup,
    });
    store = resources.store(apiRegistrationGroup, 'apiservices');
    scope = new FollowerScope();
    registration = scope.run(() => new AutoRegistration(store));
    await registration.sync([own, defined], true);
  });

  afterEach(() => resources.caches.close());

  const names = async (): Promise<readonly string[]> => {
    await store.cache.waitForCurrent();
    return [...store.cache.snapshot().entries(store.key(''))].map(({ name }) => name).toSorted();
  };
  const remove = async (name: string): Promise<void> => {
    await store.delete(name, {}, systemContext());
    await store.cache.waitForCurrent();
  };
  const setPriority = async (name: string, versionPriority: number): Promise<void> => {
    const transform = (object: KubeObject = { metadata: {} }): KubeObject => ({
      ...object,
      spec: { ...objectAt(object, 'spec'), versionPriority },
    });
    await store.update({ name, subresource: '', transform }, systemContext());
    await store.cache.waitForCurrent();
  };
  const priorityOf = async (name: string): Promise<unknown> => {
    const entry = await store.get('', name);
    return objectAt(store.parse(entry), 'spec')?.['versionPriority'];
  };

  test('makes the APIService of a definition again that was deleted, and corrects it', async () => {
    assert.deepEqual(await names(), both);
    await remove('v1.example.com');
    await registration.changed(['v1.example.com']);
    assert.deepEqual(await names(), both);
    await setPriority('v1.example.com', 7);
    await registration.changed(['v1.example.com']);
    assert.equal(await priorityOf('v1.example.com'), 100);
  });

  test('leaves the APIService of an own group as it was changed or deleted', async () => {
    await setPriority('v1.apps', 7);
    await registration.changed(['v1.apps']);
    await registration.sync([own, defined], true);
    assert.equal(await priorityOf('v1.apps'), 7);
    await remove('v1.apps');
    await registration.changed(['v1.apps']);
    await registration.sync([own, defined], true);
    assert.deepEqual(await names(), ['v1.example.com']);
  });

  test('makes the APIService of a definition that came back, whether it removed the first one or not', async () => {
    await registration.sync([own], true);
    assert.deepEqual(await names(), ['v1.apps']);
    await registration.sync([own, defined], true);
    assert.deepEqual(await names(), both);
    await remove('v1.example.com');
    await registration.sync([own], true);
    await registration.sync([own, defined], true);
    assert.deepEqual(await names(), both);
  });

  test('while objects go back, waits, and then goes by the newest report', async () => {
    let late: Promise<void> | undefined;
    await scope.undisturbed(async () => {
      late = registration.sync([own], true);
      await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(await names(), both);
    });
    await Promise.all([late, registration.sync([own, defined], true)]);
    assert.deepEqual(await names(), both);
  });
});
