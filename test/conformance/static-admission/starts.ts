import type { Start } from '#test/conformance/admission-plugins/starts.ts';
import { asJson, binding, mutatingPolicy, policy, webhooks } from './manifests.ts';

/** A feature gate of kube-apiserver without which no folder of manifests may be named. */
export const gate = '--feature-gates=ManifestBasedAdmissionControlConfig=true';

type Plugin =
  | 'ValidatingAdmissionWebhook'
  | 'MutatingAdmissionWebhook'
  | 'ValidatingAdmissionPolicy'
  | 'MutatingAdmissionPolicy';

/** The main file of a start whose plugin reads manifests from a folder. */
export function mainFile(folders: Readonly<Partial<Record<Plugin, string>>>): string {
  const entries = Object.entries(folders).map(([plugin, folder]) => {
    const kind = plugin.endsWith('Webhook') ? 'WebhookAdmissionConfiguration' : `${plugin}Configuration`;
    return `- name: ${plugin}
  configuration:
    apiVersion: apiserver.config.k8s.io/v1
    kind: ${kind}
    staticManifestsDir: ${folder}
`;
  });
  return `apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n${entries.join('')}`;
}

/** A start whose plugin finds these files in its folder. */
function start(
  name: string,
  plugin: Plugin,
  manifests: Readonly<Record<string, string>>,
  { folder = 'DIR/manifests', flags = [gate] }: { readonly folder?: string; readonly flags?: readonly string[] } = {},
): Start {
  const files = Object.entries(manifests).map(([file, text]) => [`manifests/${file}`, text]);
  return {
    name,
    flags: ['--admission-control-config-file=DIR/admission.yaml', ...flags],
    files: { 'admission.yaml': mainFile({ [plugin]: folder }), ...Object.fromEntries(files) },
  };
}

const good = { 'a.yaml': policy('a.static.k8s.io') };

const folderStarts: readonly Start[] = [
  start('folder for webhooks while the gate is off', 'MutatingAdmissionWebhook', {}, { flags: [] }),
  start('folder for policies while the gate is off', 'ValidatingAdmissionPolicy', good, { flags: [] }),
  start('relative folder', 'ValidatingAdmissionPolicy', good, { folder: 'manifests' }),
  start('folder that does not exist', 'ValidatingAdmissionWebhook', {}, { folder: 'DIR/none' }),
  start('file in the place of the folder', 'MutatingAdmissionPolicy', {}, { folder: 'DIR/admission.yaml' }),
  start('folder with files that are no manifests', 'ValidatingAdmissionPolicy', {
    'README.md': '[',
    'deeper/a.yaml': '[',
    'a.yaml': '',
  }),
];

const decodingStarts: readonly Start[] = [
  start('text that is no YAML', 'ValidatingAdmissionPolicy', { 'a.yaml': 'a: [' }),
  start('text that is no JSON', 'ValidatingAdmissionPolicy', { 'a.json': '{"a"' }),
  start('manifest without a kind', 'ValidatingAdmissionPolicy', { 'a.yaml': 'apiVersion: v1\n' }),
  start('manifest of a kind of another group', 'ValidatingAdmissionPolicy', {
    'a.yaml': 'apiVersion: v1\nkind: ConfigMap\n',
  }),
  start('manifest of webhooks of a kind of another group', 'ValidatingAdmissionWebhook', {
    'a.yaml': 'apiVersion: v1\nkind: ConfigMap\n',
  }),
  start('manifest with an unknown field', 'ValidatingAdmissionPolicy', {
    'a.yaml': `${policy('a.static.k8s.io')}\nstatuss: {}\n`,
  }),
  start('manifest with a field that stands twice', 'ValidatingAdmissionPolicy', {
    'a.yaml': `${policy('a.static.k8s.io')}\nkind: ValidatingAdmissionPolicy\n`,
  }),
  start('manifest in an older version', 'ValidatingAdmissionPolicy', {
    'a.yaml': policy('a.static.k8s.io').replace('/v1', '/v1beta1'),
  }),
  start('mutating policy for the validating plugin', 'ValidatingAdmissionPolicy', {
    'a.yaml': mutatingPolicy('a.static.k8s.io'),
  }),
  start('validating webhooks for the mutating plugin', 'MutatingAdmissionWebhook', {
    'a.yaml': webhooks('Validating', 'a.static.k8s.io'),
  }),
  start('separator with more behind it', 'ValidatingAdmissionPolicy', { 'a.yaml': 'a: 1\n--- b\n' }),
  start('comment that ends at a separator', 'ValidatingAdmissionPolicy', {
    'a.yaml': `# comment\n---\n${policy('a.static.k8s.io')}`,
  }),
  start('list with an item of an unknown kind', 'ValidatingAdmissionPolicy', {
    'a.yaml': 'apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: Pod}]\n',
  }),
  start('list with an unknown field', 'ValidatingAdmissionPolicy', {
    'a.yaml': 'apiVersion: v1\nkind: List\nitem: []\n',
  }),
  start('list of another kind', 'ValidatingAdmissionPolicy', {
    'a.yaml': 'apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicyList\nitems: []\n',
  }),
];

const nameStarts: readonly Start[] = [
  start('policy without the suffix', 'ValidatingAdmissionPolicy', { 'a.yaml': policy('a') }),
  start('policy without a name', 'ValidatingAdmissionPolicy', { 'a.yaml': policy('') }),
  start('policies of one name', 'ValidatingAdmissionPolicy', {
    'b.yml': policy('a.static.k8s.io'),
    'a.yaml': policy('a.static.k8s.io'),
  }),
  start('webhooks without the suffix', 'MutatingAdmissionWebhook', { 'a.yaml': webhooks('Mutating', 'a') }),
];

const policyStarts: readonly Start[] = [
  start('policy with two errors', 'ValidatingAdmissionPolicy', {
    'a.yaml': policy('a.static.k8s.io', { failurePolicy: 'Maybe', validations: [{ expression: 'object.' }] }),
  }),
  start('policy with parameters', 'ValidatingAdmissionPolicy', {
    'a.yaml': policy('a.static.k8s.io', { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }),
  }),
  start('mutating policy with parameters', 'MutatingAdmissionPolicy', {
    'a.yaml': mutatingPolicy('a.static.k8s.io', { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }),
  }),
  start('mutating policy that does not compile', 'MutatingAdmissionPolicy', {
    'a.yaml': mutatingPolicy('a.static.k8s.io', {
      mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: '1' } }],
    }),
  }),
  start('binding with parameters', 'ValidatingAdmissionPolicy', {
    'a.yaml': policy('a.static.k8s.io'),
    'b.yaml': binding('Validating', 'b.static.k8s.io', 'a.static.k8s.io', {
      paramRef: { name: 'x', parameterNotFoundAction: 'Deny' },
    }),
  }),
  start('binding to a policy without the suffix', 'ValidatingAdmissionPolicy', {
    'b.yaml': binding('Validating', 'b.static.k8s.io', 'a'),
  }),
  start('binding to a policy that is not there', 'MutatingAdmissionPolicy', {
    'b.yaml': binding('Mutating', 'b.static.k8s.io', 'a.static.k8s.io'),
  }),
];

const service = { clientConfig: { service: { namespace: 'a', name: 'b' } } };
const webhookStarts: readonly Start[] = [
  start('webhook behind a Service', 'ValidatingAdmissionWebhook', {
    'a.yaml': webhooks('Validating', 'a.static.k8s.io', service),
  }),
  start('webhook without an address', 'ValidatingAdmissionWebhook', {
    'a.yaml': webhooks('Validating', 'a.static.k8s.io', { clientConfig: {} }),
  }),
  start('webhook with an invalid selector', 'MutatingAdmissionWebhook', {
    'a.yaml': webhooks('Mutating', 'a.static.k8s.io', {
      objectSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: [] }] },
    }),
  }),
];

const accepted: readonly Start[] = [
  start('files of all forms', 'ValidatingAdmissionPolicy', {
    'a.yaml': `---\n# comment\n${policy('a.static.k8s.io')}\n--- # next\n${policy('b.static.k8s.io')}\n---\n`,
    'b.JSON': asJson(binding('Validating', 'a.static.k8s.io', 'a.static.k8s.io')),
    'c.yml': `apiVersion: v1\nkind: List\nitems:\n- ${policy('c.static.k8s.io').replaceAll('\n', '\n  ')}\n`,
    'd.json': `{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicyList","items":[${asJson(policy('d.static.k8s.io'))}]}`,
  }),
];

/** Starts with manifests, most of which kube-apiserver refuses. */
export const manifestStarts: readonly Start[] = [
  ...folderStarts,
  ...decodingStarts,
  ...nameStarts,
  ...policyStarts,
  ...webhookStarts,
  ...accepted,
];
