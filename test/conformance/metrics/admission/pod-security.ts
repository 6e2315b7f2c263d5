import { writeFileSync } from 'node:fs';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { CountedRequest } from '#test/conformance/metrics/requests.ts';

export const exemptUser = 'exempt-user';

/** Writes the file of `--admission-control-config-file`. */
export function writeExemptions(file: string): void {
  const configuration = {
    apiVersion: 'pod-security.admission.config.k8s.io/v1',
    kind: 'PodSecurityConfiguration',
    exemptions: { usernames: [exemptUser], namespaces: ['level-exempt'], runtimeClasses: ['exempt'] },
  };
  const text = JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AdmissionConfiguration',
    plugins: [{ name: 'PodSecurity', configuration }],
  });
  writeFileSync(file, text);
}

/** Labels of namespaces by their names. */
const levels: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'level-none': {},
  'level-enforce': { enforce: 'baseline' },
  'level-old': { enforce: 'restricted', 'enforce-version': 'v1.20', warn: 'privileged' },
  'level-future': { enforce: 'baseline', 'enforce-version': 'v1.99' },
  'level-audit': { audit: 'baseline', 'audit-version': 'v1.25' },
  'level-warn': { warn: 'restricted' },
  'level-exempt': { enforce: 'restricted' },
};

export const namespaces: readonly CountedRequest[] = Object.entries(levels).flatMap(([name, set]) => {
  const labels = Object.entries(set).map(([key, value]) => [`pod-security.kubernetes.io/${key}`, value]);
  const metadata = { name, labels: Object.fromEntries(labels) as JsonObject };
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
  return [
    { method: 'POST', path: '/api/v1/namespaces', body: { apiVersion: 'v1', kind: 'Namespace', metadata } },
    { method: 'POST', path: `/api/v1/namespaces/${name}/serviceaccounts`, body: account },
  ];
});

const spec = (more: JsonObject = {}): JsonObject => ({
  containers: [{ name: 'a', image: 'a' }],
  automountServiceAccountToken: false,
  ...more,
});

function podIn(namespace: string, name: string, more?: JsonObject, as?: string): CountedRequest {
  const body = { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: spec(more) };
  return { method: 'POST', path: `/api/v1/namespaces/${namespace}/pods`, body, ...(as === undefined ? {} : { as }) };
}

function deploymentIn(namespace: string, name: string, more?: JsonObject): CountedRequest {
  const labels = { a: 'b' };
  return {
    method: 'POST',
    path: `/apis/apps/v1/namespaces/${namespace}/deployments`,
    body: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name },
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: spec(more) } },
    },
  };
}

const merge = 'application/merge-patch+json';
const hostile = { hostNetwork: true };

/** Requests whose Pods have verdicts of each kind. */
export const judged: readonly CountedRequest[] = [
  ...Object.keys(levels).flatMap((namespace) => [
    podIn(namespace, 'good'),
    podIn(namespace, 'bad', hostile),
    deploymentIn(namespace, 'bad', hostile),
  ]),
  podIn('level-enforce', 'exempt', { ...hostile, runtimeClassName: 'exempt' }),
  podIn('level-enforce', 'admitted', hostile, exemptUser),
  {
    method: 'PATCH',
    path: '/api/v1/namespaces/level-enforce/pods/good',
    type: merge,
    body: { spec: { containers: [{ name: 'a', image: 'b' }] } },
  },
  {
    method: 'PATCH',
    path: '/api/v1/namespaces/level-enforce/pods/good',
    type: merge,
    body: { metadata: { labels: { a: 'b' } } },
  },
  {
    method: 'PATCH',
    path: '/api/v1/namespaces/level-none',
    type: merge,
    body: { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } } },
  },
];
