import type { LimitTable } from '#servers/core/testdata/limit-table.ts';
import { labels, recordedRequest, selector, template } from '#servers/core/testdata/recorded-request.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';

const rolling = (maxUnavailable: JsonValue, maxSurge: JsonValue): JsonObject => ({
  type: 'RollingUpdate',
  rollingUpdate: { maxUnavailable, maxSurge },
});
const partition = (value: number): JsonObject => ({ type: 'RollingUpdate', rollingUpdate: { partition: value } });
const other = { matchLabels: { ...labels, b: 'b' } };

export const limits: readonly LimitTable[] = [
  {
    valid: recordedRequest('apps', 'v1', 'deployments', 'Deployment', { spec: { selector, template } }),
    limits: [
      [
        'spec.template.spec.volumes',
        [{ name: 'v', image: {} }],
        [{ name: 'v', image: { pullPolicy: 'Sometimes' } }],
        'spec.template.spec.volumes[0].image.pullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"',
      ],
      ['spec.replicas', 0, -1, 'spec.replicas: Invalid value: -1: must be greater than or equal to 0'],
      [
        'spec.minReadySeconds',
        599,
        600,
        'spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds',
      ],
      ['spec.minReadySeconds', 0, -1, 'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0'],
      [
        'spec.progressDeadlineSeconds',
        1,
        0,
        'spec.progressDeadlineSeconds: Invalid value: 0: must be greater than minReadySeconds',
      ],
      [
        'spec.revisionHistoryLimit',
        0,
        -1,
        'spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
      ],
      ['spec.selector', selector, {}, 'spec.selector: Invalid value: {}: empty selector is invalid for deployment'],
      [
        'spec.selector',
        selector,
        other,
        'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
      ],
      [
        'spec.strategy',
        rolling(1, 0),
        rolling(0, 0),
        'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0',
      ],
      [
        'spec.strategy',
        rolling('100%', 0),
        rolling('101%', 0),
        'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%',
      ],
      [
        'spec.strategy',
        rolling(0, 1),
        rolling(-1, 1),
        'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: -1: must be greater than or equal to 0',
      ],
      [
        'spec.strategy',
        rolling(1, '200%'),
        rolling(1, '-1%'),
        `spec.strategy.rollingUpdate.maxSurge: Invalid value: "-1%": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')`,
      ],
      [
        'spec.strategy',
        { type: 'Recreate' },
        { type: 'Recreate', rollingUpdate: {} },
        "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
      ],
      [
        'spec.template.spec.restartPolicy',
        'Always',
        'Never',
        'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
      ],
      [
        'spec.template.spec.activeDeadlineSeconds',
        null,
        1,
        'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported',
      ],
    ],
    updates: [
      [
        'spec.selector',
        selector,
        { matchExpressions: [{ key: 'app', operator: 'Exists' }] },
        'spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"Exists"}]}: field is immutable',
      ],
    ],
    generations: [
      ['metadata.labels', { a: 'b' }, 1],
      ['spec.replicas', 1, 1],
      ['spec.replicas', 2, 2],
      ['metadata.annotations', { a: 'b' }, 2],
      ['metadata.annotations', { 'deprecated.deployment.rollback.to': '' }, 2],
      ['spec.paused', true, 2],
    ],
  },
  {
    valid: recordedRequest('apps', 'v1', 'replicasets', 'ReplicaSet', { spec: { selector, template } }),
    limits: [
      ['spec.replicas', 0, -1, 'spec.replicas: Invalid value: -1: must be greater than or equal to 0'],
      ['spec.minReadySeconds', 0, -1, 'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0'],
      ['spec.selector', selector, {}, 'spec.selector: Invalid value: {}: empty selector is invalid for deployment'],
      [
        'spec.selector',
        selector,
        other,
        'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
      ],
      [
        'spec.template.spec.restartPolicy',
        'Always',
        'OnFailure',
        'spec.template.spec.restartPolicy: Unsupported value: "OnFailure": supported values: "Always"',
      ],
    ],
    updates: [
      [
        'spec.selector',
        selector,
        { matchExpressions: [{ key: 'app', operator: 'Exists' }] },
        'spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"Exists"}]}: field is immutable',
      ],
    ],
    generations: [
      ['metadata.labels', { a: 'b' }, 1],
      ['spec.replicas', 1, 1],
      ['spec.replicas', 2, 2],
      ['metadata.annotations', { a: 'b' }, 1],
    ],
  },
  {
    valid: recordedRequest('apps', 'v1', 'statefulsets', 'StatefulSet', {
      spec: { selector, template, serviceName: 's' },
    }),
    limits: [
      ['spec.replicas', 0, -1, 'spec.replicas: Invalid value: -1: must be greater than or equal to 0'],
      ['spec.minReadySeconds', 0, -1, 'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0'],
      [
        'spec.ordinals',
        { start: 0 },
        { start: -1 },
        'spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0',
      ],
      [
        'spec.serviceName',
        'a'.repeat(63),
        'a'.repeat(64),
        'spec.serviceName: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 63 characters',
      ],
      [
        'spec.podManagementPolicy',
        'Parallel',
        'Serial',
        `spec.podManagementPolicy: Invalid value: "Serial": must be 'OrderedReady' or 'Parallel'`,
      ],
      [
        'spec.updateStrategy',
        partition(0),
        partition(-1),
        'spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: must be greater than or equal to 0',
      ],
      [
        'spec.updateStrategy',
        { type: 'OnDelete' },
        { type: 'Recreate' },
        `spec.updateStrategy: Invalid value: {"Type":"Recreate","RollingUpdate":null}: must be 'RollingUpdate' or 'OnDelete'`,
      ],
      [
        'spec.persistentVolumeClaimRetentionPolicy',
        { whenDeleted: 'Delete', whenScaled: 'Retain' },
        { whenDeleted: 'Drop', whenScaled: 'Retain' },
        'spec.persistentVolumeClaimRetentionPolicy.whenDeleted: Unsupported value: "Drop": supported values: "Retain", "Delete"',
      ],
      ['spec.selector', selector, {}, 'spec.selector: Invalid value: {}: empty selector is invalid for statefulset'],
      [
        'spec.template.spec.restartPolicy',
        'Always',
        'Never',
        'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
      ],
    ],
    updates: [
      ['spec.replicas', 0, -1, 'spec.replicas: Invalid value: -1: must be greater than or equal to 0'],
      [
        'spec.serviceName',
        's',
        't',
        "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
      ],
    ],
    generations: [
      ['metadata.labels', { a: 'b' }, 1],
      ['spec.replicas', 1, 1],
      ['spec.replicas', 2, 2],
      ['metadata.annotations', { a: 'b' }, 1],
    ],
  },
  {
    valid: recordedRequest('apps', 'v1', 'daemonsets', 'DaemonSet', { spec: { selector, template } }),
    limits: [
      ['spec.minReadySeconds', 0, -1, 'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0'],
      [
        'spec.revisionHistoryLimit',
        0,
        -1,
        'spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
      ],
      [
        'spec.selector',
        selector,
        other,
        'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
      ],
      [
        'spec.updateStrategy',
        rolling(1, 0),
        rolling(0, 0),
        'spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0',
      ],
      [
        'spec.updateStrategy',
        rolling(0, 1),
        rolling(1, 1),
        'spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero',
      ],
      [
        'spec.updateStrategy',
        rolling('100%', 0),
        rolling('101%', 0),
        'spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%',
      ],
      [
        'spec.updateStrategy',
        rolling(0, '100%'),
        rolling(0, '101%'),
        'spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: "101%": must not be greater than 100%',
      ],
      [
        'spec.template.spec.restartPolicy',
        'Always',
        'Never',
        'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
      ],
    ],
    updates: [
      [
        'spec.selector',
        selector,
        { matchExpressions: [{ key: 'app', operator: 'Exists' }] },
        'spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"Exists"}]}: field is immutable',
      ],
    ],
    generations: [
      ['metadata.annotations', { a: 'b' }, 1],
      ['spec.minReadySeconds', 1, 2],
      ['spec.template.spec.priority', 0, 2],
    ],
  },
];
