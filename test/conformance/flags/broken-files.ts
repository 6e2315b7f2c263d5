import type { Start } from '#test/conformance/admission-plugins/starts.ts';
import { brokenTracing } from './broken-tracing.ts';

const group = 'apiserver.config.k8s.io';

/** A start whose flag names a file with this text. */
function named(flag: string, what: string, text: string, flags: readonly string[] = []): Start {
  return { name: `--${flag}: ${what}`, flags: [`--${flag}=DIR/file.yaml`, ...flags], files: { 'file.yaml': text } };
}

function authentication(what: string, text: string, version = 'v1'): Start {
  return named(
    'authentication-config',
    what,
    `apiVersion: ${group}/${version}\nkind: AuthenticationConfiguration\n${text}`,
  );
}

function authorization(what: string, text: string, version = 'v1'): Start {
  return named(
    'authorization-config',
    what,
    `apiVersion: ${group}/${version}\nkind: AuthorizationConfiguration\n${text}`,
  );
}

function egress(what: string, text: string): Start {
  return named(
    'egress-selector-config-file',
    what,
    `apiVersion: apiserver.k8s.io/v1beta1\nkind: EgressSelectorConfiguration\n${text}`,
  );
}

const issuer = 'jwt:\n- issuer: {url: https://a.b, audiences: [a]}\n';
const authentications: readonly Start[] = [
  authentication('unknown field', 'jwts: []\n'),
  authentication('field that stands twice', 'jwt: []\njwt: []\n'),
  authentication('wrong type', 'jwt: {}\n'),
  authentication('no YAML', 'jwt: [\n'),
  authentication('empty', ''),
  authentication('issuer without claim mappings', issuer),
  authentication('several errors', 'jwt:\n- issuer: {url: http://a.b}\n  claimMappings: {username: {claim: sub}}\n'),
  authentication(
    'expression that does not compile',
    `${issuer}  claimMappings: {username: {expression: claims.}}\n  userValidationRules: [{expression: user.nope, message: a}]\n`,
  ),
  authentication(
    'issuers of one URL',
    `${issuer}  claimMappings: {username: {claim: sub, prefix: a}}\n- issuer: {url: https://a.b, audiences: [b]}\n  claimMappings: {username: {claim: sub, prefix: b}}\n`,
  ),
  authentication(
    'anonymous requests by path and by flag',
    'anonymous: {enabled: true, conditions: [{path: healthz}]}\n',
  ),
  authentication('version that is not there', issuer, 'v2'),
];

const webhook = (fields: string): string => `authorizers:\n- type: Webhook\n  name: a\n  webhook: {${fields}}\n`;
const authorizations: readonly Start[] = [
  authorization('unknown field', 'authorizer: []\n'),
  authorization('empty', ''),
  authorization('unknown type', 'authorizers: [{type: Other, name: a}]\n'),
  authorization('two of one name', 'authorizers: [{type: RBAC, name: a}, {type: Node, name: a}]\n'),
  authorization('webhook without anything', 'authorizers: [{type: Webhook, name: a}]\n'),
  authorization(
    'several errors',
    webhook('timeout: 60s, failurePolicy: Maybe, subjectAccessReviewVersion: v2, connectionInfo: {type: None}'),
  ),
  authorization(
    'kubeconfig that is not there',
    webhook(
      'timeout: 3s, failurePolicy: Deny, authorizedTTL: 1s, unauthorizedTTL: 1s, subjectAccessReviewVersion: v1, matchConditionSubjectAccessReviewVersion: v1, connectionInfo: {type: KubeConfigFile, kubeConfigFile: DIR/none}',
    ),
  ),
  authorization(
    'match condition that does not compile',
    webhook(
      'timeout: 3s, failurePolicy: Deny, authorizedTTL: 1s, unauthorizedTTL: 1s, subjectAccessReviewVersion: v1, matchConditionSubjectAccessReviewVersion: v1, connectionInfo: {type: InClusterConfig}, matchConditions: [{expression: request.nope}]',
    ),
  ),
  authorization('version that is not there', 'authorizers: []\n', 'v2'),
];

const egresses: readonly Start[] = [
  egress('unknown field', 'egressSelection: []\n'),
  egress('unknown network', 'egressSelections: [{name: other, connection: {proxyProtocol: Direct}}]\n'),
  egress(
    'protocol without transport',
    'egressSelections: [{name: cluster, connection: {proxyProtocol: HTTPConnect}}]\n',
  ),
  egress(
    'several errors',
    'egressSelections:\n- name: cluster\n  connection:\n    proxyProtocol: GRPC\n    transport: {tcp: {url: "http://a", tlsConfig: {caBundle: DIR/none}}}\n- name: cluster\n  connection: {proxyProtocol: Other}\n',
  ),
  egress('no YAML', 'egressSelections: [\n'),
];

function auditPolicy(what: string, text: string): Start {
  return named('audit-policy-file', what, `apiVersion: audit.k8s.io/v1\nkind: Policy\n${text}`);
}

const auditPolicies: readonly Start[] = [
  auditPolicy('no rules', ''),
  auditPolicy('unknown level', 'rules: [{level: All}]\n'),
  auditPolicy('unknown field and no rules', 'rule: []\n'),
  auditPolicy('wrong type', 'rules: {}\n'),
  auditPolicy('several errors', 'omitStages: [a]\nrules: [{}, {level: None, nonResourceURLs: [a], namespaces: [b]}]\n'),
  auditPolicy('no YAML', 'rules: [\n'),
  named('audit-policy-file', 'empty', ''),
  named('audit-policy-file', 'version that is not there', 'apiVersion: audit.k8s.io/v1beta1\nkind: Policy\n'),
  {
    name: '--audit-log-path: file in the place of a folder',
    flags: ['--audit-log-path=DIR/file.yaml/audit.log'],
    files: { 'file.yaml': '' },
  },
  { name: '--audit-log-path: folder', flags: ['--audit-log-path=DIR'], files: {} },
  named('audit-policy-file', 'other kind', 'apiVersion: audit.k8s.io/v1\nkind: Event\n'),
];

const kubeconfig = (user: string, cluster = "{server: 'https://127.0.0.1:1'}"): string => `apiVersion: v1
kind: Config
current-context: a
contexts: [{name: a, context: {cluster: a, user: a}}]
clusters: [{name: a, cluster: ${cluster}}]
users: [{name: a, user: ${user}}]
`;
const kubeconfigs = (
  [
    ['authentication-token-webhook-config-file', []],
    ['authorization-webhook-config-file', ['--authorization-mode=Webhook']],
    ['audit-webhook-config-file', ['--audit-policy-file=DIR/../audit-policy.yaml']],
  ] as const
).flatMap(([flag, flags]) => [
  named(flag, 'no YAML', 'a: [', flags),
  named(flag, 'no server', 'apiVersion: v1\nkind: Config\n', flags),
  named(flag, 'context that is not there', kubeconfig('{}').replace('current-context: a', 'current-context: b'), flags),
  named(flag, 'certificate without key', kubeconfig('{client-certificate: none.pem}'), flags),
  named(
    flag,
    'authority that is not there',
    kubeconfig('{}', "{server: 'https://a', certificate-authority: none.pem}"),
    flags,
  ),
]);

/** Starts with files that are wrong, of each kind that the flags of identity name. */
export const brokenFiles: readonly Start[] = [
  ...authentications,
  ...authorizations,
  ...egresses,
  ...auditPolicies,
  ...kubeconfigs,
  ...brokenTracing,
];
