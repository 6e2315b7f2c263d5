import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultGates } from '#servers/core/testing/default-dependencies.ts';
import { asKubeObject, objectsAt } from '#shared/apimachinery/object.ts';
import { mergeLabelKeys } from './pod-label-keys.ts';

const podWith = (spec: object) =>
  asKubeObject({ metadata: { name: 'a', labels: { app: 'x', hash: '1' } }, spec: { ...spec } });

describe('mergeLabelKeys', () => {
  test('adds matchLabelKeys of pod affinity to the label selector with the values of the pod', () => {
    const pod = podWith({
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            {
              topologyKey: 'zone',
              labelSelector: { matchLabels: { app: 'x' } },
              matchLabelKeys: ['hash', 'missing'],
              mismatchLabelKeys: ['app'],
            },
            { topologyKey: 'zone', matchLabelKeys: ['hash'] },
          ],
        },
      },
    });
    mergeLabelKeys(pod, defaultGates);
    const [merged, bare] = objectsAt(
      pod,
      'spec',
      'affinity',
      'podAffinity',
      'requiredDuringSchedulingIgnoredDuringExecution',
    );
    assert.deepEqual(merged?.['labelSelector'], {
      matchLabels: { app: 'x' },
      matchExpressions: [
        { key: 'hash', operator: 'In', values: ['1'] },
        { key: 'app', operator: 'NotIn', values: ['x'] },
      ],
    });
    assert.deepEqual(bare, { topologyKey: 'zone', matchLabelKeys: ['hash'] });
  });

  test('adds matchLabelKeys of topology spread constraints to the label selector', () => {
    const pod = podWith({ topologySpreadConstraints: [{ labelSelector: {}, matchLabelKeys: ['app'] }] });
    mergeLabelKeys(pod, defaultGates);
    assert.deepEqual(objectsAt(pod, 'spec', 'topologySpreadConstraints'), [
      { labelSelector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['x'] }] }, matchLabelKeys: ['app'] },
    ]);
  });
});
