/** One start with files of admission configuration. `DIR` in flags and files stands for the folder of the files. */
export interface Start {
  readonly name: string;
  readonly flags: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

const main = 'admission.yaml';
const named = `--admission-control-config-file=DIR/${main}`;
const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\n';

/** A start whose main file has this text. */
function file(name: string, text: string, flags: readonly string[] = []): Start {
  return { name, flags: [named, ...flags], files: { [main]: text } };
}

/** A start whose main file has this text as the configuration of one plugin, which is enabled. */
function inline(name: string, plugin: string, text: string): Start {
  const indented = text.replaceAll(/^/gm, '    ');
  return file(name, `${head}plugins:\n- name: ${plugin}\n  configuration:\n${indented}\n`, enable(plugin));
}

/** A start whose main file names another file with this text for one plugin, which is enabled. */
function separate(name: string, plugin: string, text: string): Start {
  return {
    name,
    flags: [named, ...enable(plugin)],
    files: { [main]: `${head}plugins:\n- name: ${plugin}\n  path: plugin.yaml\n`, 'plugin.yaml': text },
  };
}

function enable(plugin: string): string[] {
  return [`--enable-admission-plugins=${plugin}`];
}

const flagStarts: readonly Start[] = [
  { name: 'unknown plugin in the enabling flag', flags: ['--enable-admission-plugins=LimitRanger,Nope'], files: {} },
  { name: 'unknown plugin in the disabling flag', flags: ['--disable-admission-plugins=Nope,LimitRanger'], files: {} },
  {
    name: 'plugins that are enabled and disabled',
    flags: [
      '--enable-admission-plugins=AlwaysDeny,LimitRanger,AlwaysAdmit',
      '--disable-admission-plugins=LimitRanger,AlwaysDeny',
    ],
    files: {},
  },
  { name: 'unknown plugin in the deprecated flag', flags: ['--admission-control=NamespaceLifecycle,Nope'], files: {} },
  {
    name: 'deprecated flag beside the enabling one',
    flags: ['--admission-control=NamespaceLifecycle', '--enable-admission-plugins=AlwaysDeny'],
    files: {},
  },
  {
    name: 'deprecated flag beside the disabling one, with an unknown plugin',
    flags: ['--admission-control=Nope', '--disable-admission-plugins=LimitRanger'],
    files: {},
  },
  { name: 'main file that does not exist', flags: ['--admission-control-config-file=DIR/none.yaml'], files: {} },
  { name: 'main file that is a folder', flags: ['--admission-control-config-file=DIR'], files: {} },
  {
    name: 'ImagePolicyWebhook without a configuration',
    flags: ['--enable-admission-plugins=ImagePolicyWebhook'],
    files: {},
  },
  {
    name: 'EventRateLimit without a configuration',
    flags: ['--enable-admission-plugins=EventRateLimit'],
    files: {},
  },
];

const mainStarts: readonly Start[] = [
  file('empty main file', ''),
  file('main file with no kind', 'apiVersion: apiserver.config.k8s.io/v1\nplugins: []\n'),
  file('main file with no version', 'kind: AdmissionConfiguration\nplugins: []\n'),
  file('main file of another kind', 'apiVersion: v1\nkind: Pod\n'),
  file('main file of an unknown version', 'apiVersion: apiserver.config.k8s.io/v2\nkind: AdmissionConfiguration\n'),
  file(
    'main file of another kind of the group',
    'apiVersion: apiserver.config.k8s.io/v1\nkind: TracingConfiguration\n',
  ),
  file('main file with an unknown field', `${head}plugin: []\n`),
  file('main file with an unknown field of a plugin', `${head}plugins:\n- name: PodSecurity\n  pth: x\n`),
  file('main file with a key twice', `${head}plugins: []\nplugins: []\n`),
  file('main file with a field of a wrong type', `${head}plugins:\n- name: 5\n`),
  file('main file with a list that is none', `${head}plugins: PodSecurity\n`),
  file('main file that is no YAML', `${head}plugins: [\n`),
  file('main file that is a text', 'hello'),
  file(
    'main file in JSON with an unknown field',
    '{"apiVersion":"apiserver.config.k8s.io/v1","kind":"AdmissionConfiguration","x":1}',
  ),
  file('main file in broken JSON', '{"apiVersion":"apiserver.config.k8s.io/v1",'),
  file(
    'main file of the old version with an unknown field',
    'apiVersion: apiserver.k8s.io/v1alpha1\nkind: AdmissionConfiguration\nx: 1\n',
  ),
  file('separate file that does not exist', `${head}plugins:\n- name: PodSecurity\n  path: none.yaml\n`),
  file('unknown plugin with a missing file', `${head}plugins:\n- name: Nope\n  path: none.yaml\n`),
];

const pss = 'apiVersion: pod-security.admission.config.k8s.io/v1\nkind: PodSecurityConfiguration\n';
const podSecurityStarts: readonly Start[] = [
  inline('PodSecurity with an unknown field', 'PodSecurity', `${pss}defaults: {enforced: baseline}`),
  inline('PodSecurity with unknown levels', 'PodSecurity', `${pss}defaults: {enforce: none, audit: x}`),
  inline(
    'PodSecurity with a bad version',
    'PodSecurity',
    `${pss}defaults: {enforce: baseline, enforce-version: "1.2"}`,
  ),
  inline(
    'PodSecurity with bad exemptions',
    'PodSecurity',
    `${pss}exemptions:\n  usernames: ["", a, a]\n  namespaces: [A_b, c, c]\n  runtimeClasses: ["!", r, r]`,
  ),
  inline('PodSecurity of another version', 'PodSecurity', pss.replace('/v1', '/v9')),
  separate('PodSecurity with a separate empty file', 'PodSecurity', ''),
  separate('PodSecurity with a separate file without a kind', 'PodSecurity', 'defaults: {}\n'),
  separate('PodSecurity beta version', 'PodSecurity', `${pss.replace('/v1', '/v1beta1')}defaults: {enforce: 5}\n`),
  separate('PodSecurity alpha version', 'PodSecurity', `${pss.replace('/v1', '/v1alpha1')}defaults: {warn: z}\n`),
];

const quota = 'apiVersion: apiserver.config.k8s.io/v1\nkind: ResourceQuotaConfiguration\n';
const oldQuota = 'apiVersion: resourcequota.admission.k8s.io/v1beta1\nkind: Configuration\n';
const erl = 'apiVersion: eventratelimit.admission.k8s.io/v1alpha1\nkind: Configuration\n';
const ptr = 'apiVersion: podtolerationrestriction.admission.k8s.io/v1alpha1\nkind: Configuration\n';
const otherStarts: readonly Start[] = [
  inline(
    'ResourceQuota without a resource',
    'ResourceQuota',
    `${quota}limitedResources:\n- matchContains: [x]\n- {resource: pods}`,
  ),
  inline('ResourceQuota with an unknown field', 'ResourceQuota', `${quota}limitedResources:\n- resources: pods`),
  inline('ResourceQuota of another kind', 'ResourceQuota', oldQuota.replace('Configuration', 'Quota')),
  inline('ResourceQuota beta', 'ResourceQuota', `${oldQuota}x: 1`),
  inline('ResourceQuota alpha', 'ResourceQuota', `${oldQuota.replace('v1beta1', 'v1alpha1')}x: 1`),
  inline('EventRateLimit without limits', 'EventRateLimit', erl),
  inline(
    'EventRateLimit with wrong limits',
    'EventRateLimit',
    `${erl}limits:\n- {type: Server, qps: 0, burst: -1, cacheSize: -1}\n- {type: User, qps: 1, burst: 1, cacheSize: -1}`,
  ),
  inline('EventRateLimit with a wrong type', 'EventRateLimit', `${erl}limits:\n- {type: Server, qps: "a", burst: 1}`),
  separate('EventRateLimit with no kind', 'EventRateLimit', 'limits: []\n'),
  inline('EventRateLimit of another version', 'EventRateLimit', erl.replace('v1alpha1', 'v1')),
  inline(
    'PodTolerationRestriction with bad tolerations',
    'PodTolerationRestriction',
    `${ptr}default:\n- {key: "!", operator: Exists, value: x}\nwhitelist:\n- {operator: Same}`,
  ),
  inline('PodTolerationRestriction of another version', 'PodTolerationRestriction', ptr.replace('v1alpha1', 'v1')),
  inline('PodTolerationRestriction with a wrong type', 'PodTolerationRestriction', `${ptr}default: {}`),
  separate('ImagePolicyWebhook with an empty file', 'ImagePolicyWebhook', ''),
  inline('ImagePolicyWebhook with a long time', 'ImagePolicyWebhook', 'imagePolicy: {allowTTL: 5000}'),
  inline('ImagePolicyWebhook with a negative time', 'ImagePolicyWebhook', 'imagePolicy: {denyTTL: -2}'),
  inline('ImagePolicyWebhook with a long pause', 'ImagePolicyWebhook', 'imagePolicy: {retryBackoff: 300001}'),
  inline('ImagePolicyWebhook with a wrong type', 'ImagePolicyWebhook', 'imagePolicy: {denyTTL: a}'),
  inline(
    'ImagePolicyWebhook with a kubeconfig that does not exist',
    'ImagePolicyWebhook',
    'imagePolicy: {kubeConfigFile: DIR/none}',
  ),
  inline('ImagePolicyWebhook without a kubeconfig', 'ImagePolicyWebhook', 'imagePolicy: {}'),
  file('ImagePolicyWebhook in the old form', 'imagePolicy: {allowTTL: 5000}\n', enable('ImagePolicyWebhook')),
  file('old form of another plugin', 'somePolicy: {allowTTL: 5000}\n', enable('ImagePolicyWebhook')),
];

/** A start of ImagePolicyWebhook whose kubeconfig has this text. */
function kubeconfig(name: string, text: string): Start {
  const start = inline(name, 'ImagePolicyWebhook', 'imagePolicy: {kubeConfigFile: DIR/kubeconfig}');
  return { ...start, files: { ...start.files, kubeconfig: text } };
}

const context = 'current-context: c\ncontexts: [{name: c, context: {cluster: k, user: u}}]\n';
const cluster = 'clusters: [{name: k, cluster: {server: "https://127.0.0.1:1"}}]\n';
const kubeconfigStarts: readonly Start[] = [
  kubeconfig('empty kubeconfig', ''),
  kubeconfig('kubeconfig that is no YAML', 'a: ['),
  kubeconfig('kubeconfig of another kind', 'apiVersion: v1\nkind: Pod\n'),
  kubeconfig('kubeconfig without its context', 'current-context: c\n'),
  kubeconfig('kubeconfig without its cluster', `${context}users: [{name: u}]\n`),
  kubeconfig('kubeconfig without its user', `${context}${cluster}`),
  kubeconfig(
    'kubeconfig with a CA that does not exist',
    `${context}clusters: [{name: k, cluster: {server: "https://127.0.0.1:1", certificate-authority: none.crt}}]\nusers: [{name: u}]\n`,
  ),
  kubeconfig(
    'kubeconfig with a certificate without a key',
    `${context}${cluster}users: [{name: u, user: {client-certificate-data: eA==}}]\n`,
  ),
  kubeconfig(
    'kubeconfig with a CA that is no base64',
    `${context}clusters: [{name: k, cluster: {server: "https://127.0.0.1:1", certificate-authority-data: "!"}}]\nusers: [{name: u}]\n`,
  ),
  kubeconfig(
    'kubeconfig with a token and a password',
    `${context}${cluster}users: [{name: u, user: {token: t, username: n, password: p}}]\n`,
  ),
];

const webhooks = 'apiVersion: apiserver.config.k8s.io/v1\nkind: WebhookAdmissionConfiguration\n';
const webhookStarts: readonly Start[] = [
  inline('webhooks with a relative kubeconfig', 'ValidatingAdmissionWebhook', `${webhooks}kubeConfigFile: x`),
  inline('webhooks with an unknown field', 'MutatingAdmissionWebhook', `${webhooks}kubeConfig: x`),
  inline(
    'webhooks of another kind',
    'MutatingAdmissionWebhook',
    webhooks.replace('WebhookAdmissionConfiguration', 'WebhookAdmission'),
  ),
  inline(
    'webhooks with a kubeconfig that does not exist',
    'MutatingAdmissionWebhook',
    `${webhooks}kubeConfigFile: DIR/none`,
  ),
  inline(
    'policies with an unknown field',
    'ValidatingAdmissionPolicy',
    'apiVersion: apiserver.config.k8s.io/v1\nkind: ValidatingAdmissionPolicyConfiguration\nx: 1',
  ),
  inline(
    'policies with the configuration of the other plugin',
    'MutatingAdmissionPolicy',
    'apiVersion: apiserver.config.k8s.io/v1\nkind: ValidatingAdmissionPolicyConfiguration',
  ),
  inline(
    'webhooks with manifests behind a gate that is off',
    'MutatingAdmissionWebhook',
    `${webhooks}staticManifestsDir: DIR`,
  ),
];

/** Starts that a server refuses, because of a flag or of one of the files. */
export const refusedStarts: readonly Start[] = [
  ...flagStarts,
  ...mainStarts,
  ...podSecurityStarts,
  ...otherStarts,
  ...kubeconfigStarts,
  ...webhookStarts,
];
