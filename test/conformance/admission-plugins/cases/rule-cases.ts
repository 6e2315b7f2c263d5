import { configMap, namespaceOf, pathIn, post, tryPost, type CaseStep, type PluginCase } from './plugin-case.ts';

type Json = Record<string, unknown>;

const apiVersion = 'admissionregistration.k8s.io/v1';
const rules = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }];

function configured(resource: string, body: Json): CaseStep {
  return post(`/apis/${apiVersion}/${resource}`, { apiVersion, ...body });
}

function namespaceSelector(plugin: string): Json {
  return { matchLabels: { 'kubernetes.io/metadata.name': namespaceOf(plugin) } };
}

/** A policy and its binding, for ConfigMaps that are named `ruled`. */
function policy(plugin: string, spec: Json, binding: Json): CaseStep[] {
  const resource = plugin === 'ValidatingAdmissionPolicy' ? 'validatingadmissionpolicies' : 'mutatingadmissionpolicies';
  const metadata = { name: 'case' };
  const matchConditions = [{ name: 'ruled', expression: 'object.metadata.name == "ruled"' }];
  const matchConstraints = { resourceRules: rules, namespaceSelector: namespaceSelector(plugin) };
  return [
    configured(resource, { kind: plugin, metadata, spec: { matchConditions, matchConstraints, ...spec } }),
    configured(resource.replace(/ies$/, 'ybindings'), {
      kind: `${plugin}Binding`,
      metadata,
      spec: { policyName: 'case', ...binding },
    }),
  ];
}

/** A webhook, for ConfigMaps that are labelled; `@webhooks` stands for the side of the webhook server. */
function webhook(plugin: string, behaviour: string): CaseStep {
  const kind = plugin.replace('AdmissionWebhook', 'WebhookConfiguration');
  return configured(`${kind.toLowerCase()}s`, {
    kind,
    metadata: { name: 'case' },
    webhooks: [
      {
        name: 'case.example.com',
        clientConfig: { url: `@webhooks/${behaviour}`, caBundle: '@bundle' },
        rules,
        namespaceSelector: namespaceSelector(plugin),
        objectSelector: { matchLabels: { ruled: 'yes' } },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  });
}

function map(plugin: string, name: string, ...show: string[]): CaseStep {
  return tryPost(
    pathIn(plugin, 'configmaps'),
    configMap(name, name === 'ruled' ? { labels: { ruled: 'yes' } } : {}),
    ...show,
  );
}

const labelled = `Object{metadata: Object.metadata{labels: {"by": "policy"}}}`;

/** Plugins whose rules users write. */
export const ruleCases: readonly PluginCase[] = [
  {
    plugin: 'MutatingAdmissionPolicy',
    given: policy(
      'MutatingAdmissionPolicy',
      {
        reinvocationPolicy: 'Never',
        mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: labelled } }],
      },
      {},
    ),
    admits: map('MutatingAdmissionPolicy', 'free', 'metadata.labels'),
    changes: map('MutatingAdmissionPolicy', 'ruled', 'metadata.labels'),
  },
  {
    plugin: 'MutatingAdmissionWebhook',
    given: [webhook('MutatingAdmissionWebhook', 'label')],
    admits: map('MutatingAdmissionWebhook', 'free', 'metadata.labels'),
    changes: map('MutatingAdmissionWebhook', 'ruled', 'metadata.labels'),
  },
  {
    plugin: 'ValidatingAdmissionPolicy',
    given: policy(
      'ValidatingAdmissionPolicy',
      { validations: [{ expression: 'false', message: 'never' }] },
      { validationActions: ['Deny'] },
    ),
    admits: map('ValidatingAdmissionPolicy', 'free'),
    refuses: map('ValidatingAdmissionPolicy', 'ruled'),
  },
  {
    plugin: 'ValidatingAdmissionWebhook',
    given: [webhook('ValidatingAdmissionWebhook', 'deny')],
    admits: map('ValidatingAdmissionWebhook', 'free'),
    refuses: map('ValidatingAdmissionWebhook', 'ruled'),
  },
];
