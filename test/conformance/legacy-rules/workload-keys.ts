import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { get } from '#test/conformance/series/series.ts';
import { annotate, patch, post } from './requests.ts';
import type { RuleCase } from './rule-case.ts';

const core = '/api/v1/namespaces/default';
const apps = '/apis/apps/v1/namespaces/default';
const podSpec: JsonObject = { containers: [{ name: 'c', image: 'i' }] };

/** A good value, and others. */
function withAnnotation(
  collection: string,
  object: (name: string) => JsonObject,
  key: string,
  values: readonly string[],
): RuleCase['requests'] {
  return (run) =>
    values.flatMap((value, index) => {
      const [name, changed] = [`${run}-${index}`, `${run}-${index}-changed`];
      const path = `${collection}/${changed}`;
      return [
        post(collection, { ...object(name), metadata: { name, annotations: { [key]: value } } }),
        post(collection, { ...object(changed), metadata: { name: changed } }),
        annotate(path, { [key]: value }),
        annotate(`${path}/status`, { [key]: value }),
        patch(path, { metadata: { annotations: { [key]: value, other: 'x' } } }),
        annotate(path, { [key]: null }),
        get(path),
      ];
    });
}

const integers = ['5', 'x', '', '-1', '+5', '05', '1.5', '9223372036854775808', '2147483648', ' 5'];
const workload = (name: string): JsonObject => ({
  spec: { selector: { matchLabels: { run: name } }, template: { metadata: { labels: { run: name } }, spec: podSpec } },
});
const generation = 'deprecated.daemonset.template.generation';
const rollback = 'deprecated.deployment.rollback.to';

/** Keys of workloads, and of the pods that they make. */
export const workloadKeyCases: readonly RuleCase[] = [
  {
    name: 'daemon sets with a template generation',
    covers: [generation],
    requests: withAnnotation(`${apps}/daemonsets`, workload, generation, integers),
  },
  {
    name: 'daemon sets whose template changes',
    requests: (run) => [
      post(`${apps}/daemonsets`, { metadata: { name: run, annotations: { [generation]: '7' } }, ...workload(run) }),
      patch(`${apps}/daemonsets/${run}`, { spec: { template: { spec: { hostname: 'h' } } } }),
      annotate(`${apps}/daemonsets/${run}`, { [generation]: '3' }),
      annotate(`${apps}/daemonsets/${run}`, { [generation]: '12' }),
      patch(`${apps}/daemonsets/${run}`, {
        metadata: { annotations: { [generation]: '13' } },
        spec: { template: { spec: { hostname: 'i' } } },
      }),
    ],
  },
  {
    name: 'deployments with a rollback',
    covers: [rollback],
    // An empty one is dropped, and counts as a change before that there.
    requests: withAnnotation(
      `${apps}/deployments`,
      workload,
      rollback,
      integers.filter((text) => text !== ''),
    ),
  },
  {
    name: 'pods with a deletion cost',
    covers: ['controller.kubernetes.io/pod-deletion-cost'],
    requests: withAnnotation(
      `${core}/pods`,
      () => ({ spec: podSpec }),
      'controller.kubernetes.io/pod-deletion-cost',
      integers,
    ),
  },
  ...[
    'container.apparmor.security.beta.kubernetes.io/c',
    'container.seccomp.security.alpha.kubernetes.io/c',
    'seccomp.security.alpha.kubernetes.io/pod',
  ].map((key): RuleCase => ({
    name: `pods with ${key}`,
    covers: [key.replace(/\/c$/, '/')],
    requests: withAnnotation(`${core}/pods`, () => ({ spec: podSpec }), key, [
      'runtime/default',
      'unconfined',
      'localhost/a',
      'localhost/../a',
      'odd',
      '',
    ]),
  })),
  {
    name: 'jobs with labels of their controller',
    covers: ['batch.kubernetes.io/controller-uid', 'batch.kubernetes.io/job-name'],
    requests: (run) =>
      ['controller-uid', 'job-name', 'batch.kubernetes.io/controller-uid', 'batch.kubernetes.io/job-name'].flatMap(
        (key, index) =>
          ['x', run, `${run}-${index}`].flatMap((value, at) =>
            [true, false].map((manualSelector) =>
              post(`/apis/batch/v1/namespaces/default/jobs`, {
                metadata: { name: `${run}-${index}-${at}-${manualSelector}` },
                spec: {
                  manualSelector,
                  ...(manualSelector ? { selector: { matchLabels: { [key]: value } } } : {}),
                  template: { metadata: { labels: { [key]: value } }, spec: { ...podSpec, restartPolicy: 'Never' } },
                },
              }),
            ),
          ),
      ),
  },
];
