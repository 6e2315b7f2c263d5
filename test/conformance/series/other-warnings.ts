import type { Series } from './series.ts';
import { labelExists, nodeLabels, writeEach, writeLater, writtenKind, type WrittenKind } from './written-kinds.ts';

const static_ = { suffix: '.static.k8s.io' };
const matchConstraints = {
  resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
};
const webhook = (name: string): WrittenKind =>
  writtenKind('/apis/admissionregistration.k8s.io/v1', name.toLowerCase() + 's', name, false);
const policyBinding = { spec: { policyName: 'none', validationActions: ['Deny'] } };

export const otherWarningSeries: readonly Series[] = [
  {
    name: 'warnings of RuntimeClasses',
    requests: writeEach(
      writtenKind('/apis/node.k8s.io/v1', 'runtimeclasses', 'RuntimeClass', false),
      nodeLabels.map((label) => ({ handler: 'a', scheduling: { nodeSelector: { [label]: 'a' } } })),
    ),
  },
  {
    name: 'warnings of StorageClasses',
    requests: writeEach(writtenKind('/apis/storage.k8s.io/v1', 'storageclasses', 'StorageClass', false), [
      {
        provisioner: 'a',
        allowedTopologies: [{ matchLabelExpressions: nodeLabels.map((key) => ({ key, values: ['a'] })) }],
      },
    ]),
  },
  {
    name: 'warnings of CSIStorageCapacities',
    requests: writeEach(writtenKind('/apis/storage.k8s.io/v1', 'csistoragecapacities', 'CSIStorageCapacity'), [
      {
        storageClassName: 'a',
        nodeTopology: { matchExpressions: nodeLabels.map(labelExists), matchLabels: { 'beta.kubernetes.io/os': 'a' } },
      },
    ]),
  },
  {
    name: 'warnings of CSIDrivers',
    requests: writeEach(
      writtenKind('/apis/storage.k8s.io/v1', 'csidrivers', 'CSIDriver', false),
      [
        { spec: { tokenRequests: [{ audience: 'a' }] } },
        { spec: { tokenRequests: [{ audience: 'a' }], serviceAccountTokenInSecrets: false } },
        { spec: {} },
      ],
      { updates: [{ spec: { tokenRequests: [{ audience: 'b' }] } }] },
    ),
  },
  {
    name: 'warnings of ResourceSlices',
    requests: writeEach(
      writtenKind('/apis/resource.k8s.io/v1', 'resourceslices', 'ResourceSlice', false),
      ['Driver.Example.com', 'driver.example.com'].map((driver) => ({
        spec: { driver, nodeName: 'n', pool: { name: 'p', resourceSliceCount: 1 } },
      })),
    ),
  },
  {
    name: 'warnings of CronJobs',
    requests: writeLater(
      writtenKind('/apis/batch/v1', 'cronjobs', 'CronJob'),
      {
        spec: {
          schedule: '@hourly',
          jobTemplate: {
            spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
          },
        },
      },
      [
        { spec: { schedule: 'TZ=UTC @hourly' } },
        { spec: { schedule: 'CRON_TZ=UTC 0 * * * *' } },
        { metadata: { labels: { a: 'b' } } },
        { spec: { timeZone: 'UTC' } },
      ],
    ),
  },
  ...['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'].map((name): Series => ({
    name: `warnings of ${name}s`,
    requests: writeEach(webhook(name), [{ webhooks: [] }], static_),
  })),
  {
    name: 'warnings of ValidatingAdmissionPolicies',
    requests: writeEach(
      writtenKind(
        '/apis/admissionregistration.k8s.io/v1',
        'validatingadmissionpolicies',
        'ValidatingAdmissionPolicy',
        false,
      ),
      [{ spec: { matchConstraints, validations: [{ expression: 'true' }] } }],
      static_,
    ),
  },
  {
    name: 'warnings of ValidatingAdmissionPolicyBindings',
    requests: writeEach(
      writtenKind(
        '/apis/admissionregistration.k8s.io/v1',
        'validatingadmissionpolicybindings',
        'ValidatingAdmissionPolicyBinding',
        false,
      ),
      [policyBinding],
      static_,
    ),
  },
  {
    name: 'warnings of MutatingAdmissionPolicies',
    requests: writeEach(
      writtenKind(
        '/apis/admissionregistration.k8s.io/v1',
        'mutatingadmissionpolicies',
        'MutatingAdmissionPolicy',
        false,
      ),
      [
        {
          spec: {
            matchConstraints,
            reinvocationPolicy: 'Never',
            mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } }],
          },
        },
      ],
      static_,
    ),
  },
  {
    name: 'warnings of MutatingAdmissionPolicyBindings',
    requests: writeEach(
      writtenKind(
        '/apis/admissionregistration.k8s.io/v1',
        'mutatingadmissionpolicybindings',
        'MutatingAdmissionPolicyBinding',
        false,
      ),
      [{ spec: { policyName: 'none' } }],
      static_,
    ),
  },
  {
    name: 'warnings of deprecated versions',
    requests: () => [
      { method: 'GET', path: '/api/v1/componentstatuses/scheduler' },
      { method: 'GET', path: '/api/v1/namespaces/default/endpoints?labelSelector=none%3Dsuch' },
    ],
  },
  {
    name: 'warnings of tokens after two spaces',
    requests: () => [{ method: 'GET', path: '/api/v1/namespaces', headers: { authorization: 'Bearer  some' } }],
  },
];
