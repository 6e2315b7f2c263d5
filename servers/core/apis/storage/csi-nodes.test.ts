import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultDependencies } from '#servers/core/testing/default-dependencies.ts';
import { asKubeObject } from '#shared/apimachinery/object.ts';
import { csiNodeStrategy } from './csi-nodes.ts';

describe('CSINode strategy', () => {
  test('accepts an unchanged update of 20,000 drivers', () => {
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
    assert.deepEqual(csiNodeStrategy(defaultDependencies).validateUpdate?.(node, node, {} as never), []);
  });
});
