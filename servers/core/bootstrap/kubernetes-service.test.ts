import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CoreContext } from '#servers/core/context/core-context.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { ensureKubernetesService } from './kubernetes-service.ts';

const refused = new Error('provided IP is already allocated');

/** Stores that hold the given objects; Services cannot be made. */
function coreWith(objects: Readonly<Record<string, KubeObject>>): { core: CoreContext; deleted: string[] } {
  const deleted: string[] = [];
  const store = (_group: string, resource: string) => ({
    key: (namespace: string, name: string) => `${resource}/${namespace}/${name}`,
    cache: { waitForCurrent: async () => {}, get: (key: string) => objects[key] },
    parse: (entry: KubeObject) => entry,
    create: async () => {
      throw refused;
    },
    delete: async (name: string) => void deleted.push(name),
  });
  return { core: { store, setDefaults: () => {} } as unknown as CoreContext, deleted };
}

function address(name: string, ageMs: number): KubeObject {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IPAddress',
    metadata: { name: '10.0.0.1', uid: 'u', creationTimestamp: new Date(Date.now() - ageMs).toISOString() },
    spec: { parentRef: { group: '', resource: 'services', namespace: 'default', name } },
  };
}

async function deletedFor(objects: Readonly<Record<string, KubeObject>>): Promise<string[]> {
  const { core, deleted } = coreWith(objects);
  await assert.rejects(
    ensureKubernetesService(core, { clusterIP: '10.0.0.1', securePort: 6443, nodePort: 0 }),
    refused,
  );
  return deleted;
}

describe('ensureKubernetesService', () => {
  test('releases an address that a dead server allocated for the kubernetes Service', async () => {
    assert.deepEqual(await deletedFor({ 'ipaddresses//10.0.0.1': address('kubernetes', 60_000) }), ['10.0.0.1']);
  });

  test('keeps an address that another server allocated a moment ago', async () => {
    assert.deepEqual(await deletedFor({ 'ipaddresses//10.0.0.1': address('kubernetes', 10) }), []);
  });

  test('keeps an address of another Service', async () => {
    assert.deepEqual(await deletedFor({ 'ipaddresses//10.0.0.1': address('mine', 60_000) }), []);
  });
});
