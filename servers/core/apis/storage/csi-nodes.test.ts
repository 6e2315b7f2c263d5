import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultDependencies } from '#servers/core/testing/default-dependencies.ts';
import { asKubeObject } from '#shared/apimachinery/object.ts';
import { csiNodeStrategy } from './csi-nodes.ts';

describe('CSINode strategy', () => {
  test('validates an update of 20,000 drivers in linear time', () => {
    const drivers = Array.from({ length: 20_000 }, (_, at) => ({
      name: `d${at}.example.com`,
      nodeID: 'n',
      topologyKeys: ['a'],
    }));
    const node = asKubeObject({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSINode',
      metadata: { name: 'a' },
      spec: { drivers },
    });
    const began = process.threadCpuUsage();
    assert.deepEqual(csiNodeStrategy(defaultDependencies).validateUpdate?.(node, node, {} as never), []);
    const { user, system } = process.threadCpuUsage(began);
    // It grew with the square: 10 s in one go for a body of 1 MB (objects/run.ts).
    assert.ok(user + system < 3_000_000, `${(user + system) / 1000} ms`);
  });
});
