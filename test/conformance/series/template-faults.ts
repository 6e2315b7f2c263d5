import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { template } from './pod-templates.ts';
import type { Request, Series } from './series.ts';

/** Fields of templates that workloads refuse, beside others that are wrong. */
function templates(run: string): readonly Request[] {
  const faults: readonly JsonObject[] = [
    {},
    { activeDeadlineSeconds: 5 },
    { restartPolicy: 'Never' },
    { restartPolicy: 'OnFailure', activeDeadlineSeconds: 3 },
    { restartPolicy: 'Odd', activeDeadlineSeconds: -1 },
    { restartPolicy: 'Never', activeDeadlineSeconds: 5, containers: [{ name: 'C', image: '' }] },
    { containers: [], restartPolicy: 'Never' },
    { dnsPolicy: 'Odd', activeDeadlineSeconds: 0, restartPolicy: '' },
  ];
  const kinds: readonly (readonly [string, string])[] = [
    ['apps/v1', 'statefulsets'],
    ['apps/v1', 'deployments'],
    ['apps/v1', 'daemonsets'],
    ['apps/v1', 'replicasets'],
    ['v1', 'replicationcontrollers'],
    ['batch/v1', 'jobs'],
  ];
  const selectors: readonly JsonValue[] = [
    { matchLabels: { a: 'b' } },
    { matchLabels: { a: 'other' } },
    {},
    { matchLabels: { a: 'b c' } },
    { matchExpressions: [{ key: 'a', operator: 'Odd' }] },
  ];
  return kinds.flatMap(([version, resource]): Request[] => {
    const path = `${version === 'v1' ? '/api' : '/apis'}/${version}/namespaces/default/${resource}`;
    const body = (fault: JsonObject, selector: JsonValue): JsonObject => ({
      metadata: { name: run },
      spec: {
        ...(resource === 'jobs' ? {} : { selector: resource === 'replicationcontrollers' ? { a: 'b' } : selector }),
        template: template(fault),
      },
    });
    return [
      ...faults.flatMap((fault) =>
        selectors.map((selector): Request => ({
          method: 'POST',
          path: `${path}?dryRun=All`,
          body: body(fault, selector),
        })),
      ),
      { method: 'POST', path, body: body(resource === 'jobs' ? { restartPolicy: 'Never' } : {}, selectors[0] ?? {}) },
      ...faults.map((fault): Request => ({
        method: 'PUT',
        path: `${path}/${run}?dryRun=All`,
        body: body(fault, selectors[0] ?? {}),
      })),
    ];
  });
}

export const templateFaultSeries: readonly Series[] = [
  { name: 'details: templates with several faults', requests: templates },
];
