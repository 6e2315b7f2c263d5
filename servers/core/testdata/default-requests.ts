import { container, labels, recordedRequest, selector, template, type RecordedRequest } from './recorded-request.ts';

const jobTemplate = { metadata: { labels }, spec: { restartPolicy: 'Never', containers: [container] } };
const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
const webhook = { name: 'a.b.c', rules: [rule], sideEffects: 'None', admissionReviewVersions: ['v1'] };
const service = { service: { namespace: 'n', name: 's' } };
const subject = { kind: 'ServiceAccount', name: 'a', namespace: 'n' };
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };
const driver = 'driver.example.com';
const admission = 'admissionregistration.k8s.io';
const flow = 'flowcontrol.apiserver.k8s.io';

/** One object of each kind that has defaults and no errors here, with the members that have defaults of their own. */
export const defaultRequests: readonly RecordedRequest[] = [
  recordedRequest('batch', 'v1', 'jobs', 'Job', { spec: { manualSelector: true, selector, template: jobTemplate } }),
  recordedRequest('batch', 'v1', 'jobs', 'Job', {
    spec: {
      manualSelector: true,
      selector,
      template: jobTemplate,
      parallelism: 2,
      completions: 2,
      completionMode: 'Indexed',
      backoffLimitPerIndex: 1,
      podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }] },
    },
  }),
  recordedRequest('apps', 'v1', 'replicasets', 'ReplicaSet', { spec: { selector, template } }),
  recordedRequest('apps', 'v1', 'daemonsets', 'DaemonSet', {
    spec: { selector, template, updateStrategy: { type: 'OnDelete' } },
  }),
  recordedRequest('apps', 'v1', 'deployments', 'Deployment', {
    spec: { selector, template, strategy: { type: 'Recreate' } },
  }),
  recordedRequest('', 'v1', 'replicationcontrollers', 'ReplicationController', { spec: { template } }),
  recordedRequest(
    '',
    'v1',
    'persistentvolumes',
    'PersistentVolume',
    { spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/a' } } },
    false,
  ),
  recordedRequest(
    '',
    'v1',
    'persistentvolumes',
    'PersistentVolume',
    {
      spec: {
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '1Gi' },
        iscsi: { targetPortal: '10.0.0.1', iqn: 'iqn.2015-02.example.com:a', lun: 0 },
      },
    },
    false,
  ),
  recordedRequest('', 'v1', 'secrets', 'Secret', { stringData: { a: 'b' } }),
  recordedRequest('', 'v1', 'configmaps', 'ConfigMap', { data: { a: 'b' } }),
  recordedRequest('rbac.authorization.k8s.io', 'v1', 'rolebindings', 'RoleBinding', { subjects: [subject], roleRef }),
  recordedRequest(
    'rbac.authorization.k8s.io',
    'v1',
    'clusterrolebindings',
    'ClusterRoleBinding',
    { subjects: [{ kind: 'User', name: 'u' }], roleRef },
    false,
  ),
  recordedRequest(
    admission,
    'v1',
    'validatingwebhookconfigurations',
    'ValidatingWebhookConfiguration',
    { webhooks: [{ ...webhook, clientConfig: service }] },
    false,
  ),
  recordedRequest(
    admission,
    'v1',
    'mutatingwebhookconfigurations',
    'MutatingWebhookConfiguration',
    { webhooks: [{ ...webhook, clientConfig: { url: 'https://example.com' } }] },
    false,
  ),
  recordedRequest(
    admission,
    'v1',
    'validatingadmissionpolicies',
    'ValidatingAdmissionPolicy',
    { spec: { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'true' }] } },
    false,
  ),
  recordedRequest(
    admission,
    'v1',
    'validatingadmissionpolicybindings',
    'ValidatingAdmissionPolicyBinding',
    { spec: { policyName: 'a', validationActions: ['Deny'], matchResources: { resourceRules: [rule] } } },
    false,
  ),
  recordedRequest(
    admission,
    'v1',
    'mutatingadmissionpolicies',
    'MutatingAdmissionPolicy',
    {
      spec: {
        matchConstraints: { resourceRules: [rule] },
        reinvocationPolicy: 'Never',
        mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: "[JSONPatch{op: 'remove', path: '/a'}]" } }],
      },
    },
    false,
  ),
  recordedRequest(
    flow,
    'v1',
    'flowschemas',
    'FlowSchema',
    { spec: { priorityLevelConfiguration: { name: 'a' }, rules: [] } },
    false,
  ),
  recordedRequest(
    flow,
    'v1',
    'prioritylevelconfigurations',
    'PriorityLevelConfiguration',
    { spec: { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing: {} } } } },
    false,
  ),
  recordedRequest(
    'resource.k8s.io',
    'v1',
    'resourceslices',
    'ResourceSlice',
    {
      spec: {
        driver,
        pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
        nodeName: 'n',
        devices: [{ name: 'd', attributes: { a: { int: 1 } }, capacity: { a: { value: '1' } } }],
      },
    },
    false,
  ),
  recordedRequest(
    'storage.k8s.io',
    'v1',
    'volumeattachments',
    'VolumeAttachment',
    {
      spec: {
        attacher: driver,
        nodeName: 'n',
        source: {
          inlineVolumeSpec: {
            accessModes: ['ReadWriteOnce'],
            capacity: { storage: '1Gi' },
            csi: { driver, volumeHandle: 'h' },
          },
        },
      },
    },
    false,
  ),
  recordedRequest(
    'networking.k8s.io',
    'v1',
    'ingressclasses',
    'IngressClass',
    {
      spec: { controller: 'a.b/c', parameters: { kind: 'A', name: 'n' } },
    },
    false,
  ),
  recordedRequest('networking.k8s.io', 'v1', 'networkpolicies', 'NetworkPolicy', {
    spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }], egress: [{ ports: [{ port: 80 }] }] },
  }),
  recordedRequest('autoscaling', 'v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', {
    spec: {
      maxReplicas: 3,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
      behavior: {
        scaleUp: { stabilizationWindowSeconds: 5 },
        scaleDown: { policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] },
      },
    },
  }),
];
