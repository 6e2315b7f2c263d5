import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pod, podAttributes, refusalOf } from '#shared/admission/testing/attributes.ts';
import { FakeCaches } from '#shared/admission/testing/fake-caches.ts';
import { objectAt } from '#shared/apimachinery/object.ts';
import { formatQuantity } from '#shared/apimachinery/values/quantity.ts';
import { podAmounts } from '#shared/objects/pod-resources.ts';
import { podSpec } from '#shared/objects/pod-spec.ts';
import { AlwaysPullImages } from './always-pull-images.ts';
import { DefaultTolerationSeconds } from './default-toleration-seconds.ts';
import { NodeDeclaredFeatureValidator } from './node-declared-feature-validator.ts';
import { PodResizeValidator } from './pod-resize-validator.ts';
import { PodTopologyLabels } from './pod-topology-labels.ts';
import { Priority } from './priority.ts';

describe('pod admission plugins', () => {
  test('keep the priority of a pod when an update leaves it out (Priority)', async () => {
    const object = pod();
    await new Priority(new FakeCaches()).admit(
      podAttributes({ operation: 'UPDATE', object, oldObject: pod({ priority: 7, preemptionPolicy: 'Never' }) }),
    );
    assert.equal(podSpec(object)['priority'], 7);
    assert.equal(podSpec(object)['preemptionPolicy'], 'Never');
  });

  test('choose the lower value of two default priority classes (Priority)', async () => {
    const caches = new FakeCaches();
    for (const [name, value] of [
      ['high', 9],
      ['low', 3],
    ] as const)
      caches.put('scheduling.k8s.io', 'priorityclasses', { metadata: { name }, value, globalDefault: true });
    const object = pod();
    await new Priority(caches).admit(podAttributes({ object }));
    assert.equal(podSpec(object)['priorityClassName'], 'low');
  });

  test('add tolerations with the seconds given by flags (DefaultTolerationSeconds)', () => {
    const object = pod();
    new DefaultTolerationSeconds({ notReady: 1, unreachable: 2 }).admit(podAttributes({ object }));
    assert.deepEqual(podSpec(object)['tolerations'], [
      { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 1 },
      { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 2 },
    ]);
  });

  test('copy topology labels of the node to a binding, but not to an eviction (PodTopologyLabels)', async () => {
    const caches = new FakeCaches();
    caches.put('', 'nodes', { metadata: { name: 'n', labels: { 'topology.kubernetes.io/zone': 'z', other: 'o' } } });
    const binding = { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } };
    await new PodTopologyLabels(caches).admit(podAttributes({ subresource: 'binding', object: binding }));
    assert.deepEqual(objectAt(binding.metadata, 'labels'), { 'topology.kubernetes.io/zone': 'z' });
    const object = pod({ nodeName: 'n' });
    await new PodTopologyLabels(caches).admit(podAttributes({ subresource: 'eviction', object }));
    assert.equal(object.metadata.labels, undefined);
  });

  test('refuse a resize beyond the allocatable resources of a Linux node (PodResizeValidator)', async () => {
    const caches = new FakeCaches();
    const node = (os: string): unknown =>
      caches.put('', 'nodes', {
        metadata: { name: 'n', labels: { 'kubernetes.io/os': os } },
        status: { allocatable: { cpu: '1', memory: '1Gi' } },
      });
    const resize = (cpu: string, nodeName = 'n'): ReturnType<typeof refusalOf> =>
      refusalOf(
        new PodResizeValidator(caches),
        podAttributes({
          operation: 'UPDATE',
          subresource: 'resize',
          oldObject: { ...pod(), metadata: { name: 'p', generation: 1 } },
          object: {
            ...pod({ nodeName, containers: [{ name: 'c', resources: { requests: { cpu } } }] }),
            metadata: { name: 'p', generation: 2 },
          },
        }),
      );
    node('linux');
    assert.equal(await resize('1'), undefined);
    const refused = await resize('2');
    assert.equal(
      refused?.message,
      `pods "p" is forbidden: node didn't have enough allocatable resources: cpu, requested: 2000, allocatable: 1000`,
    );
    assert.deepEqual(refused?.details?.causes, [{ reason: 'NodeCapacity' }]);
    assert.equal((await resize('1', 'gone'))?.message, 'pods "p" is forbidden: node "gone" not found');
    node('windows');
    assert.equal(
      (await resize('1'))?.message,
      'pods "p" is forbidden: pod resize is only supported on linux nodes, node "n" is "windows"',
    );
  });

  test('refuse a pod update that needs features the node does not declare (NodeDeclaredFeatureValidator)', async () => {
    const caches = new FakeCaches();
    caches.put('', 'nodes', { metadata: { name: 'old' } });
    caches.put('', 'nodes', {
      metadata: { name: 'new' },
      status: {
        declaredFeatures: ['InPlacePodLevelResourcesVerticalScaling', 'InPlacePodVerticalScalingInitContainers'],
      },
    });
    const spec = (nodeName: string, cpu: string, restartPolicy?: string): Parameters<typeof pod>[0] => ({
      nodeName,
      resources: { limits: { cpu } },
      initContainers: [
        { name: 'i', resources: { limits: { cpu } }, ...(restartPolicy !== undefined && { restartPolicy }) },
      ],
    });
    const update = (
      nodeName: string,
      cpu: string,
      restartPolicy?: string,
      generation = 2,
    ): ReturnType<typeof refusalOf> =>
      refusalOf(
        new NodeDeclaredFeatureValidator(caches),
        podAttributes({
          operation: 'UPDATE',
          subresource: 'resize',
          oldObject: { ...pod(spec(nodeName, '1', restartPolicy)), metadata: { name: 'p', generation: 1 } },
          object: { ...pod(spec(nodeName, cpu, restartPolicy)), metadata: { name: 'p', generation } },
        }),
      );
    assert.equal(await update('new', '2'), undefined);
    assert.equal(await update('old', '1000m'), undefined);
    assert.equal(await update('old', '2', undefined, 1), undefined);
    assert.equal(
      (await update('old', '2'))?.message,
      'pods "p" is forbidden: pod update requires features InPlacePodLevelResourcesVerticalScaling, InPlacePodVerticalScalingInitContainers which are not available on node "old"',
    );
    assert.equal(
      (await update('old', '2', 'Always'))?.message,
      'pods "p" is forbidden: pod update requires features InPlacePodLevelResourcesVerticalScaling which are not available on node "old"',
    );
    assert.equal((await update('gone', '2'))?.message, 'pods "p" is forbidden: node "gone" not found');
  });

  test('force the pull policy only when an update changes an image (AlwaysPullImages)', () => {
    const object = pod({ containers: [{ name: 'c', image: 'i', imagePullPolicy: 'Never' }] });
    new AlwaysPullImages().admit(podAttributes({ operation: 'UPDATE', object, oldObject: pod() }));
    assert.deepEqual(podSpec(object)['containers'], [{ name: 'c', image: 'i', imagePullPolicy: 'Never' }]);
    new AlwaysPullImages().admit(
      podAttributes({ operation: 'UPDATE', object, oldObject: pod({ containers: [{ name: 'c', image: 'j' }] }) }),
    );
    assert.deepEqual(podSpec(object)['containers'], [{ name: 'c', image: 'i', imagePullPolicy: 'Always' }]);
  });

  test('add sidecars to containers and count other init containers at their peak (podAmounts)', () => {
    const asks = (cpu: string, rest = {}): Record<string, unknown> => ({ resources: { requests: { cpu } }, ...rest });
    const spec = {
      containers: [asks('1'), asks('500m')],
      initContainers: [asks('100m', { restartPolicy: 'Always' }), asks('2')],
    } as unknown as Parameters<typeof podAmounts>[0];
    const total = podAmounts({ ...spec, overhead: { cpu: '50m' } }, 'requests', true).get('cpu');
    assert.equal(total && formatQuantity(total), '2150m');
    const podLevel = podAmounts({ ...spec, resources: { requests: { cpu: '3' } } }, 'requests', false).get('cpu');
    assert.equal(podLevel && formatQuantity(podLevel), '3');
  });
});
