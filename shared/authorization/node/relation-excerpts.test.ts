import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asKubeObject } from '#shared/apimachinery/object.ts';
import { podReferences } from './pod-references.ts';
import { relationExcerpt } from './relation-excerpts.ts';

const container = {
  name: 'c',
  image: 'i',
  envFrom: [{ secretRef: { name: 's1' } }, { configMapRef: { name: 'm1' } }],
  env: [
    { name: 'a', valueFrom: { secretKeyRef: { name: 's2', key: 'k' } } },
    { name: 'b', valueFrom: { configMapKeyRef: { name: 'm2', key: 'k' } } },
  ],
};

const pod = asKubeObject({
  metadata: { namespace: 'ns', name: 'p', labels: { a: 'b' } },
  spec: {
    nodeName: 'n',
    serviceAccountName: 'a',
    imagePullSecrets: [{ name: 's3' }, {}],
    containers: [container],
    ephemeralContainers: [{ name: 'e', envFrom: [{ secretRef: { name: 's4' } }] }],
    volumes: [
      { name: 'p', projected: { sources: [{ secret: { name: 's5' } }, { configMap: { name: 'm3' } }] } },
      { name: 'q', configMap: { name: 'm4' } },
      { name: 'r', csi: { nodePublishSecretRef: { name: 's6' } } },
      { name: 's', persistentVolumeClaim: { claimName: 'c' } },
      { name: 't', ephemeral: {} },
    ],
    resourceClaims: [{ name: 'x', resourceClaimTemplateName: 't' }],
  },
  status: { resourceClaimStatuses: [{ name: 'x', resourceClaimName: 'made' }], phase: 'Running' },
});

const used = {
  serviceaccounts: ['a'],
  secrets: ['s3', 's1', 's2', 's4', 's6', 's5'],
  configmaps: ['m1', 'm2', 'm4', 'm3'],
  persistentvolumeclaims: ['c', 'p-t'],
  resourceclaims: ['made'],
};

function sorted(references: ReturnType<typeof podReferences>): unknown {
  return Object.fromEntries(
    Object.entries(references).map(([resource, names]: [string, readonly string[]]) => [resource, [...names].sort()]),
  );
}

describe('relationExcerpt', () => {
  test('keeps every reference of a pod, and drops its status', () => {
    assert.deepEqual(sorted(podReferences(pod)), sorted(used));
    const excerpt = relationExcerpt('', 'pods')?.(pod);
    assert.ok(excerpt !== undefined);
    assert.deepEqual(sorted(podReferences(excerpt)), sorted(used));
    assert.equal(excerpt['status'], undefined);
  });

  test('keeps no reference of a mirror pod', () => {
    const mirror = asKubeObject({
      ...pod,
      metadata: { ...pod.metadata, annotations: { 'kubernetes.io/config.mirror': 'x' } },
    });
    assert.ok(Object.values(podReferences(mirror)).every((names: readonly string[]) => names.length === 0));
    assert.deepEqual(relationExcerpt('', 'pods')?.(mirror), {
      metadata: { namespace: 'ns', name: 'p' },
      spec: { nodeName: 'n', serviceAccountName: '', imagePullSecrets: [], volumes: [], resourceClaims: [] },
    });
  });

  test('keeps the node name only of other followed objects, and leaves objects whole that nobody follows', () => {
    const slice = asKubeObject({ metadata: { name: 's' }, spec: { nodeName: 'n', devices: [{}] } });
    assert.deepEqual(relationExcerpt('resource.k8s.io', 'resourceslices')?.(slice), {
      metadata: { name: 's' },
      spec: { nodeName: 'n' },
    });
    assert.equal(relationExcerpt('', 'configmaps'), undefined);
  });
});
