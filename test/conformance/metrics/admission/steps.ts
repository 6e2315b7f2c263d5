import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Side } from '#test/compare/pair.ts';
import type { CountedRequest } from '#test/conformance/metrics/requests.ts';
import { ask } from '#test/conformance/metrics/side.ts';
import type { AnsweringWebhook } from './answering-webhook.ts';
import { exemptUser, judged, namespaces } from './pod-security.ts';
import { mutatingPolicies, policyRequests, validatingPolicies } from './policy-objects.ts';
import { mutatingHooks, validatingHooks, webhookConfiguration } from './webhook-objects.ts';

const maps = '/api/v1/namespaces/counted/configmaps';
const merge = 'application/merge-patch+json';

function labelled(name: string, labels: JsonObject): CountedRequest {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels } };
  return { method: 'POST', path: `${maps}?dryRun=All`, body };
}

/** A ConfigMap for each rule of one kind, by the label that its rules match. */
function askedOf(label: string, rules: Readonly<Record<string, unknown>>): CountedRequest[] {
  return Object.keys(rules).map((name) => labelled('asked', { [label]: name }));
}

/** What makes rules, and then who may do what the requests do. */
function preparation(webhook: AnsweringWebhook): CountedRequest[] {
  return [
    ...namespaces,
    {
      method: 'POST',
      path: '/apis/node.k8s.io/v1/runtimeclasses',
      body: { apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', metadata: { name: 'exempt' }, handler: 'a' },
    },
    {
      method: 'POST',
      path: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
      body: {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: 'exempt' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: exemptUser }],
      },
    },
    webhookConfiguration('Mutating', mutatingHooks, webhook),
    webhookConfiguration('Validating', validatingHooks, webhook),
    ...policyRequests('Mutating', { ...mutatingPolicies, 'z-last': mutatingPolicies['change'] ?? { spec: {} } }),
    ...policyRequests('Validating', { ...validatingPolicies, 'z-last': validatingPolicies['deny'] ?? { spec: {} } }),
  ];
}

/** Makes the rules of users, and waits until the last one of each kind acts. */
export async function prepareAdmission(side: Side, webhook: AnsweringWebhook): Promise<void> {
  for (const asked of preparation(webhook)) {
    const { status, text } = await ask(side, asked);
    if (status >= 300) throw new Error(`${asked.path}: ${status} ${text}`);
  }
  const acts: readonly (readonly [JsonObject, (told: { status: number; text: string }) => boolean])[] = [
    [{ validating: 'deny' }, ({ status }) => status >= 400],
    [{ mutating: 'deny' }, ({ status }) => status >= 400],
    [{ 'validating-policy': 'z-last' }, ({ status }) => status >= 400],
    [{ 'mutating-policy': 'z-last' }, ({ text }) => text.includes('"annotations"')],
  ];
  for (const [labels, isDone] of acts) while (!isDone(await ask(side, labelled('waiting', labels)))) await pause(100);
}

const both = { mutating: 'again', 'mutating-policy': 'change-again' };

/** What is counted, one request after the other. */
export const admittedRequests: readonly CountedRequest[] = [
  ...askedOf('validating', validatingHooks),
  ...askedOf('mutating', mutatingHooks),
  ...askedOf('validating-policy', validatingPolicies),
  ...askedOf('mutating-policy', mutatingPolicies),
  labelled('asked', both),
  labelled('asked', { validating: 'deny', mutating: 'change', 'validating-policy': 'deny' }),
  { ...labelled('kept', { mutating: 'allow' }), path: maps },
  { method: 'PATCH', path: `${maps}/kept`, type: merge, body: { metadata: { labels: { mutating: 'change' } } } },
  { method: 'DELETE', path: `${maps}/kept` },
  { method: 'PATCH', path: `${maps}/kept`, type: merge, body: { metadata: { labels: { mutating: 'allow' } } } },
  { method: 'DELETE', path: `${maps}/kept` },
  { ...labelled('asked', { validating: 'hang' }), path: `${maps}?dryRun=All&timeout=500ms` },
  ...judged,
];
