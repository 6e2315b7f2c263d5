import { times, type LimitTable } from '#servers/core/testdata/limit-table.ts';
import { recordedRequest } from '#servers/core/testdata/recorded-request.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';

const cpu = (averageUtilization: number): JsonObject[] => [
  { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } },
];
const average = (averageValue: string): JsonObject[] => [
  { type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue } } },
];
const scaleUp = (more: JsonObject): JsonObject => ({
  scaleUp: { policies: [{ type: 'Pods', value: 1, periodSeconds: 1 }], ...more },
});
const policy = (more: JsonObject): JsonObject =>
  scaleUp({ policies: [{ type: 'Pods', value: 1, periodSeconds: 1, ...more }] });

export const limits: readonly LimitTable[] = [
  {
    valid: recordedRequest('autoscaling', 'v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', {
      spec: {
        maxReplicas: 2,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        metrics: cpu(50),
      },
    }),
    limits: [
      [
        'spec.minReplicas',
        1,
        0,
        'spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas',
        'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1',
      ],
      ['spec.minReplicas', 2, 3, 'spec.maxReplicas: Invalid value: 2: must be greater than or equal to `minReplicas`'],
      [
        'spec.maxReplicas',
        1,
        0,
        'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`',
        'spec.maxReplicas: Required value: must be set and greater than 0',
      ],
      ['spec.scaleTargetRef.kind', 'Deployment', '', 'spec.scaleTargetRef.kind: Required value'],
      ['spec.scaleTargetRef.name', 'a', '', 'spec.scaleTargetRef.name: Required value'],
      [
        'spec.metrics',
        cpu(1),
        cpu(0),
        'spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0',
      ],
      [
        'spec.metrics',
        average('1m'),
        average('0'),
        'spec.metrics[0].pods.target.averageValue: Invalid value: "0": must be positive',
      ],
      [
        'spec.metrics',
        cpu(1),
        [{ type: 'Resource' }],
        'spec.metrics[0].resource: Required value: must populate information for the given metric source',
      ],
      [
        'spec.behavior',
        scaleUp({ stabilizationWindowSeconds: 0 }),
        scaleUp({ stabilizationWindowSeconds: -1 }),
        'spec.behavior.scaleUp.stabilizationWindowSeconds: Invalid value: -1: must be greater than or equal to zero',
      ],
      [
        'spec.behavior',
        scaleUp({ stabilizationWindowSeconds: 3_600 }),
        scaleUp({ stabilizationWindowSeconds: 3_601 }),
        'spec.behavior.scaleUp.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600',
      ],
      [
        'spec.behavior',
        scaleUp({ selectPolicy: 'Disabled' }),
        scaleUp({ selectPolicy: 'Any' }),
        'spec.behavior.scaleUp.selectPolicy: Unsupported value: "Any": supported values: "Disabled", "Max", "Min"',
      ],
      [
        'spec.behavior',
        scaleUp({ tolerance: '0' }),
        scaleUp({ tolerance: '-1' }),
        'spec.behavior.scaleUp.tolerance: Invalid value: "-1": must be greater than or equal to 0',
      ],
      [
        'spec.behavior',
        policy({ value: 1 }),
        policy({ value: 0 }),
        'spec.behavior.scaleUp.policies[0].value: Invalid value: 0: must be greater than zero',
      ],
      [
        'spec.behavior',
        policy({ periodSeconds: 1 }),
        policy({ periodSeconds: 0 }),
        'spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 0: must be greater than zero',
      ],
      [
        'spec.behavior',
        policy({ periodSeconds: 1_800 }),
        policy({ periodSeconds: 1_801 }),
        'spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 1801: must be less than or equal to 1800',
      ],
      [
        'spec.behavior',
        policy({ type: 'Percent' }),
        policy({ type: 'Share' }),
        'spec.behavior.scaleUp.policies[0].type: Unsupported value: "Share": supported values: "Percent", "Pods"',
      ],
      [
        'spec.behavior',
        scaleUp({ policies: times(2, () => ({ type: 'Pods', value: 1, periodSeconds: 1 })) }),
        scaleUp({ policies: [] }),
        'spec.behavior.scaleUp.policies: Required value: must specify at least one Policy',
      ],
    ],
    updates: [
      [
        'spec.maxReplicas',
        1,
        0,
        'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`',
        'spec.maxReplicas: Required value: must be set and greater than 0',
      ],
    ],
  },
];
