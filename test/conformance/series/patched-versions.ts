import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { template } from './pod-templates.ts';
import type { Request, Series } from './series.ts';

/** A patched document may say that it is of another version. */
function otherVersions(run: string): readonly Request[] {
  const path = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
  const jsonPatch = { 'content-type': 'application/json-patch+json' };
  const metrics = [
    { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 40 } } },
  ];
  return [
    {
      method: 'POST',
      path,
      body: {
        metadata: { name: run },
        spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }, metrics },
      },
    },
    ...[
      'autoscaling/v1',
      'autoscaling/v2beta1',
      'autoscaling/v2',
      'autoscaling/v3',
      'v1',
      'apps/v1',
      '',
      'a/b/c',
    ].flatMap((version) =>
      ['', 'HorizontalPodAutoscaler', 'Odd'].flatMap((kind): Request[] => [
        {
          method: 'PATCH',
          path: `${path}/${run}?dryRun=All`,
          body: { apiVersion: version, ...(kind !== '' && { kind }), spec: { targetCPUUtilizationPercentage: 5 } },
        },
        {
          method: 'PATCH',
          path: `${path}/${run}?dryRun=All`,
          body: [
            { op: 'replace', path: '/apiVersion', value: version },
            { op: 'replace', path: '/kind', value: kind },
          ],
          headers: jsonPatch,
        },
      ]),
    ),
    {
      method: 'POST',
      path: '/apis/apps/v1/namespaces/default/deployments',
      body: {
        metadata: { name: run, labels: { a: 'b' } },
        spec: { selector: { matchLabels: { a: 'b' } }, template: template({}) },
      },
    },
    ...['apps/v1beta1', 'apps/v1beta2', 'extensions/v1beta1', 'apps/v1beta3'].flatMap((version): Request[] => [
      {
        method: 'PATCH',
        path: `/apis/apps/v1/namespaces/default/deployments/${run}?dryRun=All`,
        body: { apiVersion: version },
      },
      {
        method: 'PUT',
        path: `/apis/apps/v1/namespaces/default/deployments/${run}?dryRun=All`,
        body: { apiVersion: version, kind: 'Deployment', metadata: { name: run } },
      },
    ]),
    ...defaultsOfOld(run),
  ];
}

/** Fields that a patch takes away are filled in as the version has it that the document says to be of. */
function defaultsOfOld(run: string): readonly Request[] {
  const kinds = [
    ['deployments', 'Deployment'],
    ['statefulsets', 'StatefulSet'],
    ['daemonsets', 'DaemonSet'],
    ['replicasets', 'ReplicaSet'],
  ] as const;
  const missing: readonly JsonObject[] = [
    {
      revisionHistoryLimit: null,
      progressDeadlineSeconds: null,
      strategy: null,
      updateStrategy: null,
      replicas: null,
      podManagementPolicy: null,
      persistentVolumeClaimRetentionPolicy: null,
    },
    { strategy: { rollingUpdate: null }, updateStrategy: { rollingUpdate: null } },
    { strategy: { type: 'Recreate' } },
    { strategy: { type: 'Recreate', rollingUpdate: null } },
    { updateStrategy: { type: null } },
    { selector: null },
    {},
  ];
  return kinds.flatMap(([resource, kind]): Request[] => {
    const path = `/apis/apps/v1/namespaces/default/${resource}`;
    const at = `${path}/${run}-old?dryRun=All`;
    return [
      {
        method: 'POST',
        path,
        body: {
          metadata: { name: `${run}-old` },
          spec: { selector: { matchLabels: { a: 'b' } }, template: template({}) },
        },
      },
      ...['apps/v1beta1', 'apps/v1beta2', 'extensions/v1beta1'].flatMap((apiVersion) =>
        missing.map((spec): Request => ({ method: 'PATCH', path: at, body: { apiVersion, kind, spec } })),
      ),
      { method: 'DELETE', path: `${path}/${run}-old` },
    ];
  });
}

export const patchedVersionSeries: readonly Series[] = [
  { name: 'details: patched documents of other versions', requests: otherVersions },
];
