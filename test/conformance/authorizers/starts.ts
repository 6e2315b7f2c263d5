import type { Start } from '#test/conformance/admission-plugins/starts.ts';
import { configuration } from './files.ts';

const group = 'abac.authorization.kubernetes.io';
const v1beta1 = (spec: object): string => JSON.stringify({ apiVersion: `${group}/v1beta1`, kind: 'Policy', spec });

/** Policies of both versions, which good servers are started with. */
export const policies = `# users of both versions
${v1beta1({ user: 'abac', namespace: '*', resource: '*', apiGroup: '*' })}

${v1beta1({ user: '*', readonly: true, nonResourcePath: '/version*' })}
{"user": "reader", "readonly": true}
{"apiVersion": "${group}/v0", "kind": "Policy", "group": "dev", "namespace": "deny", "resource": "configmaps"}
`;

function abac(name: string, text: string): Start {
  return {
    name: `ABAC: ${name}`,
    flags: ['--authorization-mode=ABAC', '--authorization-policy-file=DIR/policies.jsonl'],
    files: { 'policies.jsonl': text },
  };
}

function file(name: string, text: string, ...flags: readonly string[]): Start {
  return {
    name: `file: ${name}`,
    flags: ['--authorization-config=DIR/authorization.yaml', ...flags],
    files: { 'authorization.yaml': text, kubeconfig: good, broken: 'apiVersion: v1\nkind: Config\nclusters: 1\n' },
  };
}

function flags(name: string, ...given: readonly string[]): Start {
  return { name: `flags: ${name}`, flags: given, files: { kubeconfig: good, 'policies.jsonl': policies } };
}

const good = `apiVersion: v1
kind: Config
current-context: c
contexts: [{name: c, context: {cluster: k, user: u}}]
clusters: [{name: k, cluster: {server: "https://127.0.0.1:1"}}]
users: [{name: u, user: {}}]
`;

const usual = {
  timeout: '3s',
  subjectAccessReviewVersion: 'v1',
  failurePolicy: 'Deny',
  connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: 'DIR/kubeconfig' },
};

/** A file with a webhook that differs from a good one. */
function webhook(name: string, change: object, more: object = {}): Start {
  const authorizer = { type: 'Webhook', name: 'w', webhook: { ...usual, ...change }, ...more };
  return file(`webhook with ${name}`, configuration(`- ${JSON.stringify(authorizer)}\n`));
}

const conditions = (...expressions: readonly string[]): object => ({
  matchConditionSubjectAccessReviewVersion: 'v1',
  matchConditions: expressions.map((expression) => ({ expression })),
});

const ofFlags: readonly Start[] = [
  flags('unknown mode', '--authorization-mode=RBAC,Foo'),
  flags('mode twice', '--authorization-mode=RBAC,Node,RBAC'),
  flags('ABAC without a file', '--authorization-mode=ABAC'),
  flags('webhook without a file', '--authorization-mode=Webhook'),
  flags('several errors', '--authorization-mode=ABAC,Webhook,Foo,Foo'),
  flags('policies without ABAC', '--authorization-mode=RBAC', '--authorization-policy-file=DIR/policies.jsonl'),
  flags('webhook without its mode', '--authorization-mode=RBAC', '--authorization-webhook-config-file=DIR/kubeconfig'),
  flags(
    'unknown version',
    '--authorization-mode=Webhook',
    '--authorization-webhook-config-file=DIR/kubeconfig',
    '--authorization-webhook-version=v2',
  ),
  flags('kubeconfig that is missing', '--authorization-mode=Webhook', '--authorization-webhook-config-file=DIR/none'),
  flags('policies that are missing', '--authorization-mode=ABAC', '--authorization-policy-file=DIR/none'),
];

const ofPolicies: readonly Start[] = [
  abac('line that is no JSON', `${policies}{`),
  abac('text', 'user: x\n- y\n'),
  abac('list', '[]'),
  abac('other kind', '{"apiVersion":"v1","kind":"Pod"}'),
  abac('other version', `{"apiVersion":"${group}/v2","kind":"Policy"}`),
  abac('wrong type', `\n\n${v1beta1({ user: 1 })}`),
  abac('wrong type of version v0', '{"readonly":"yes"}'),
  abac('kind without a version', '{"kind":"Policy","user":"x","readonly":"yes"}'),
  abac('long line', `{"user":"${'x'.repeat(70_000)}"}`),
];

const ofFiles: readonly Start[] = [
  file('empty', ''),
  file('beside modes', configuration('- {type: RBAC, name: rbac}\n'), '--authorization-mode=RBAC'),
  file('beside a version', configuration('- {type: RBAC, name: rbac}\n'), '--authorization-webhook-version=v1'),
  file('no YAML', 'a: ['),
  file('no kind', 'apiVersion: apiserver.config.k8s.io/v1\n'),
  file('no version', 'kind: AuthorizationConfiguration\n'),
  file('other version', configuration('', 'v2')),
  file('other kind', 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n'),
  file('kind of the older group', 'apiVersion: apiserver.k8s.io/v1alpha1\nkind: AdmissionConfiguration\n'),
  file(
    'unknown and repeated fields',
    `${configuration('- {type: RBAC, name: rbac, nam: x}\n')}kind: AuthorizationConfiguration\n`,
  ),
  file('wrong type', configuration('- {type: 1, name: rbac}\n')),
  file('no authorizers', configuration('')),
  file('wrong names', configuration('- {type: RBAC, name: x}\n- {type: Node, name: Node}\n')),
  file(
    'types',
    configuration('- {type: RBAC, name: rbac}\n- {type: RBAC, name: rbac2}\n- {type: Foo, name: foo}\n- {name: bar}\n'),
  ),
  file('ABAC without policies', configuration('- {type: ABAC, name: abac}\n')),
  file('webhook of RBAC', configuration('- {type: RBAC, name: rbac, webhook: {}}\n')),
  file('webhook that is empty', configuration('- {type: Webhook, name: w, webhook: {}}\n')),
  file('webhook that is missing', configuration('- {type: Webhook, name: w}\n')),
  { ...file('missing', ''), flags: ['--authorization-config=DIR/none'] },
  { ...file('folder', ''), flags: ['--authorization-config=DIR'] },
  webhook('a long timeout', { timeout: '31s' }),
  webhook('a negative timeout', { timeout: '-1s' }),
  webhook('a timeout that is none', { timeout: 'soon' }),
  webhook('negative times', { authorizedTTL: '-1s', unauthorizedTTL: '-2s' }),
  webhook('other versions', { subjectAccessReviewVersion: 'v2', matchConditionSubjectAccessReviewVersion: 'v1beta1' }),
  webhook('another policy', { failurePolicy: 'Fail' }),
  webhook('another connection', { connectionInfo: { type: 'Service' } }),
  webhook('a relative kubeconfig', { connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: 'kubeconfig' } }),
  webhook('a kubeconfig that is missing', { connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: 'DIR/none' } }),
  webhook('a folder as kubeconfig', { connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: 'DIR' } }),
  webhook('a broken kubeconfig', { connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: 'DIR/broken' } }),
  webhook('a kubeconfig in the cluster', {
    connectionInfo: { type: 'InClusterConfig', kubeConfigFile: 'DIR/kubeconfig' },
  }),
  webhook('a wrong name', {}, { name: 'W_1' }),
  webhook('conditions without a version', { matchConditions: [{ expression: 'true' }] }),
  webhook('wrong conditions', conditions('', 'true', 'true', 'request.usr', 'request.user', 'request.user ==', '1')),
  webhook(
    'unknown names in conditions',
    conditions('object.metadata', "request.resourceAttributes.labelSelector.x == ''"),
  ),
  webhook('too many conditions', conditions(...Array.from({ length: 65 }, (_, index) => `request.user != '${index}'`))),
];

/** Starts with authorizers that are wrong. */
export const refusedAuthorizations: readonly Start[] = [...ofFlags, ...ofPolicies, ...ofFiles];
