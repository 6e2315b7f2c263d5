import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pod, podAttributes, refusalOf } from '#shared/admission/testing/attributes.ts';
import { FakeCaches } from '#shared/admission/testing/fake-caches.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { parseQuantity } from '#shared/apimachinery/values/quantity.ts';
import { atLeast, ratioAtMost, type Limited } from './limit-constraints.ts';
import { setContainerDefaults } from './limit-defaults.ts';
import { LimitRanger } from './limit-ranger.ts';

function plugin(...limits: NonNullable<KubeObject[string]>[]): LimitRanger {
  const caches = new FakeCaches();
  caches.put('', 'limitranges', { metadata: { name: 'l', namespace: 'a' }, spec: { limits } });
  return new LimitRanger(caches);
}

const limited = (request: string, limit: string): Limited => ({
  type: 'Container',
  requests: new Map([['cpu', parseQuantity(request)]]),
  limits: new Map([['cpu', parseQuantity(limit)]]),
});

describe('LimitRanger', () => {
  test('sets default requests and limits and lists them in the pod annotation', async () => {
    const object = pod({
      initContainers: [{ name: 'i' }],
      containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }],
    });
    await plugin({ type: 'Container', default: { cpu: '2' }, defaultRequest: { cpu: '500m' } }).admit(
      podAttributes({ object }),
    );
    assert.deepEqual(objectsAt(object, 'spec', 'containers')[0]?.['resources'], {
      requests: { cpu: '1' },
      limits: { cpu: '2' },
    });
    assert.deepEqual(object.metadata.annotations, {
      'kubernetes.io/limit-ranger':
        'LimitRanger plugin set: cpu limit for container c; cpu request for init container i; cpu limit for init container i',
    });
  });

  test('leaves a pod unchanged when the range has no defaults', async () => {
    const object = pod();
    await plugin({ type: 'Pod', max: { cpu: '2' } }).admit(podAttributes({ object }));
    assert.deepEqual(object, pod());
  });

  test('ignores other namespaces, updates, and objects that are being deleted', async () => {
    const strict = plugin({ type: 'Container', max: { cpu: '1' } });
    assert.match(
      (await refusalOf(strict, podAttributes()))?.message ?? '',
      /maximum cpu usage per Container is 1\. {2}No limit is specified/,
    );
    assert.equal(await refusalOf(strict, podAttributes({ namespace: 'b' })), undefined);
    assert.equal(await refusalOf(strict, podAttributes({ operation: 'UPDATE', oldObject: pod() })), undefined);
    const leaving = { ...pod(), metadata: { name: 'p', deletionTimestamp: '2026-01-01T00:00:00Z' } };
    assert.equal(
      await refusalOf(strict, podAttributes({ operation: 'UPDATE', subresource: 'resize', oldObject: leaving })),
      undefined,
    );
  });

  test('compares amounts in thousandths and prints ratios with six digits', () => {
    assert.equal(atLeast(limited('50m', '1'), 'cpu', parseQuantity('50m')), undefined);
    assert.equal(
      atLeast(limited('49m', '1'), 'cpu', parseQuantity('50m')),
      'minimum cpu usage per Container is 50m, but request is 49m',
    );
    assert.equal(ratioAtMost(limited('100m', '300m'), 'cpu', parseQuantity('3')), undefined);
    assert.equal(
      ratioAtMost(limited('300m', '1'), 'cpu', parseQuantity('3')),
      'cpu max limit to request ratio per Container is 3, but provided ratio is 3.333333',
    );
  });

  const resources = (count: number, prefix = 'r'): JsonObject =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`example.com/${prefix}${index}`, '1']));
  const containers = (count: number): JsonObject[] =>
    Array.from({ length: count }, (_, index) => ({ name: `c${index}` }));

  test('refuses with 413 before it sets defaults that would exceed the storage limit', async () => {
    const ranger = plugin({ type: 'Container', default: resources(20_000) });
    const object = pod({ containers: containers(20_000) });
    await assert.rejects(ranger.admit(podAttributes({ object })), { code: 413 });
  });

  test('adds up the defaults of several ranges against the storage limit', () => {
    const range = (prefix: string): KubeObject => ({
      metadata: { name: prefix },
      spec: { limits: [{ type: 'Container', default: resources(15_000, prefix) }] },
    });
    setContainerDefaults([range('a')], pod({ containers: containers(10) }));
    assert.throws(() => setContainerDefaults([range('a'), range('b')], pod({ containers: containers(10) })), {
      code: 413,
    });
  });

  test('collects only as many violations of 20,000 containers as the error shows', async () => {
    const ranger = plugin({ type: 'Container', min: resources(20_000) });
    const refusal = await refusalOf(ranger, podAttributes({ object: pod({ containers: containers(20_000) }) }));
    assert.match(refusal?.message ?? '', /minimum example.com\/r10000 usage per Container is 1/);
  });
});
