import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { autoscalerConversion } from './autoscaler-conversion.ts';

const target = { apiVersion: 'x.y/v1', kind: 'D', name: 'd' };
const prefix = 'autoscaling.alpha.kubernetes.io/';

const stored: KubeObject = {
  metadata: { name: 'h2' },
  spec: {
    minReplicas: 1,
    maxReplicas: 2,
    scaleTargetRef: target,
    metrics: [
      { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } } },
    ],
    behavior: {
      scaleUp: {
        stabilizationWindowSeconds: 0,
        selectPolicy: 'Max',
        policies: [{ type: 'Pods', value: 1, periodSeconds: 5 }],
      },
      scaleDown: { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] },
    },
  },
};

// As the reference served the same autoscaler in autoscaling/v1.
const behavior =
  '{"ScaleUp":{"StabilizationWindowSeconds":0,"SelectPolicy":"Max","Policies":[{"Type":"Pods","Value":1,"PeriodSeconds":5}],"Tolerance":null},' +
  '"ScaleDown":{"StabilizationWindowSeconds":null,"SelectPolicy":"Max","Policies":[{"Type":"Percent","Value":100,"PeriodSeconds":15}],"Tolerance":null}}';
const metrics = '[{"type":"Resource","resource":{"name":"memory","targetAverageValue":"1Gi"}}]';

describe('autoscalerConversion', () => {
  test('serves behavior and metrics as annotations in autoscaling/v1', () => {
    const served = autoscalerConversion.fromStorage(cloneJson(stored));
    assert.deepEqual(served.metadata.annotations, { [`${prefix}behavior`]: behavior, [`${prefix}metrics`]: metrics });
    assert.deepEqual(served['spec'], { minReplicas: 1, maxReplicas: 2, scaleTargetRef: target });
  });

  test('restores the stored autoscaler after a round trip through autoscaling/v1', () => {
    assert.deepEqual(autoscalerConversion.toStorage(autoscalerConversion.fromStorage(cloneJson(stored))), stored);
  });

  test('converts targetCPUUtilizationPercentage to a cpu resource metric and back', () => {
    const v1: KubeObject = {
      metadata: { name: 'h' },
      spec: { maxReplicas: 2, scaleTargetRef: target, targetCPUUtilizationPercentage: 70 },
    };
    const converted = autoscalerConversion.toStorage(cloneJson(v1));
    assert.deepEqual((converted['spec'] as KubeObject)['metrics'], [
      { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
    ]);
    assert.deepEqual(autoscalerConversion.fromStorage(converted), v1);
  });
});
