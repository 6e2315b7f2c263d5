import type { Member } from './hostile-object.ts';

/** Where objects of a kind live, and the members of a small valid one. */
export interface SmallObject {
  readonly server: 'core' | 'extensions';
  readonly collection: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly small: readonly Member[];
  readonly fixedName?: string;
}

const core = (
  kind: string,
  apiVersion: string,
  resource: string,
  members: Readonly<Record<string, unknown>>,
  namespaced = true,
): SmallObject => ({
  server: 'core',
  apiVersion,
  kind,
  collection: `${apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`}${namespaced ? '/namespaces/default' : ''}/${resource}`,
  small: Object.entries(members).map(([key, value]): Member => [key, JSON.stringify(value)]),
});

export const container = { name: 'a', image: 'a' };
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } };
const selector = { matchLabels: { a: 'b' } };

export const pods = core('Pod', 'v1', 'pods', { spec: { containers: [container] } });
export const configMaps = core('ConfigMap', 'v1', 'configmaps', { data: { a: 'b' } });
export const secrets = core('Secret', 'v1', 'secrets', { data: { a: 'YQ==' } });
export const services = core('Service', 'v1', 'services', { spec: { ports: [{ port: 80 }] } });
export const serviceAccounts = core('ServiceAccount', 'v1', 'serviceaccounts', {});
export const endpoints = core('Endpoints', 'v1', 'endpoints', {});
export const limitRanges = core('LimitRange', 'v1', 'limitranges', { spec: { limits: [] } });
export const resourceQuotas = core('ResourceQuota', 'v1', 'resourcequotas', { spec: { hard: {} } });
export const claims = core('PersistentVolumeClaim', 'v1', 'persistentvolumeclaims', {
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
});
export const nodes = core('Node', 'v1', 'nodes', {}, false);
export const volumes = core(
  'PersistentVolume',
  'v1',
  'persistentvolumes',
  { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/a' } } },
  false,
);
export const deployments = core('Deployment', 'apps/v1', 'deployments', { spec: { selector, template } });
export const statefulSets = core('StatefulSet', 'apps/v1', 'statefulsets', {
  spec: { selector, template, serviceName: 'a' },
});
export const daemonSets = core('DaemonSet', 'apps/v1', 'daemonsets', { spec: { selector, template } });
export const jobs = core('Job', 'batch/v1', 'jobs', {
  spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } },
});
export const cronJobs = core('CronJob', 'batch/v1', 'cronjobs', {
  spec: {
    schedule: '* * * * *',
    jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } },
  },
});
export const networkPolicies = core('NetworkPolicy', 'networking.k8s.io/v1', 'networkpolicies', {
  spec: { podSelector: {} },
});
export const ingresses = core('Ingress', 'networking.k8s.io/v1', 'ingresses', {
  spec: { defaultBackend: { service: { name: 'a', port: { number: 80 } } } },
});
export const roles = core('Role', 'rbac.authorization.k8s.io/v1', 'roles', { rules: [] });
export const clusterRoles = core('ClusterRole', 'rbac.authorization.k8s.io/v1', 'clusterroles', { rules: [] }, false);
export const roleBindings = core('RoleBinding', 'rbac.authorization.k8s.io/v1', 'rolebindings', {
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a' },
});
export const autoscalers = core('HorizontalPodAutoscaler', 'autoscaling/v2', 'horizontalpodautoscalers', {
  spec: { maxReplicas: 2, scaleTargetRef: { kind: 'Deployment', name: 'a', apiVersion: 'apps/v1' } },
});
export const disruptionBudgets = core('PodDisruptionBudget', 'policy/v1', 'poddisruptionbudgets', {
  spec: { selector },
});
export const endpointSlices = core('EndpointSlice', 'discovery.k8s.io/v1', 'endpointslices', {
  addressType: 'IPv4',
  endpoints: [],
});
export const webhooks = core(
  'ValidatingWebhookConfiguration',
  'admissionregistration.k8s.io/v1',
  'validatingwebhookconfigurations',
  { webhooks: [] },
  false,
);
export const policies = core(
  'ValidatingAdmissionPolicy',
  'admissionregistration.k8s.io/v1',
  'validatingadmissionpolicies',
  {
    spec: {
      matchConstraints: {
        resourceRules: [
          { apiGroups: ['none.example.com'], apiVersions: ['v1'], resources: ['a'], operations: ['CREATE'] },
        ],
      },
      validations: [{ expression: 'true' }],
    },
  },
  false,
);
export const storageClasses = core('StorageClass', 'storage.k8s.io/v1', 'storageclasses', { provisioner: 'a' }, false);
export const flowSchemas = core(
  'FlowSchema',
  'flowcontrol.apiserver.k8s.io/v1',
  'flowschemas',
  { spec: { priorityLevelConfiguration: { name: 'global-default' } } },
  false,
);
export const csiNodes = core('CSINode', 'storage.k8s.io/v1', 'csinodes', { spec: { drivers: [] } }, false);

const group = 'hostile.example.com';
/** The definition whose objects are attacked: one property for each thing that a schema can ask. */
export const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `things.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
                  numbers: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'number' } },
                  map: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['a', 'b'],
                    items: {
                      type: 'object',
                      required: ['a', 'b'],
                      properties: { a: { type: 'string' }, b: { type: 'integer' }, c: { type: 'string' } },
                    },
                  },
                  atomic: { type: 'array', items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
                  strings: { type: 'array', items: { type: 'string', maxLength: 3 } },
                  integers: { type: 'array', items: { type: 'integer', minimum: 5, multipleOf: 2 } },
                  enum: {
                    type: 'array',
                    items: { type: 'string', enum: Array.from({ length: 200 }, (_, index) => `value-${index}`) },
                  },
                  either: {
                    type: 'array',
                    items: {
                      type: 'object',
                      'x-kubernetes-preserve-unknown-fields': true,
                      anyOf: Array.from({ length: 20 }, (_, index) => ({ required: [`k${index}`] })),
                    },
                  },
                  only: {
                    type: 'array',
                    items: {
                      type: 'object',
                      'x-kubernetes-preserve-unknown-fields': true,
                      oneOf: Array.from({ length: 20 }, (_, index) => ({ required: [`k${index}`] })),
                    },
                  },
                  open: { type: 'object', additionalProperties: { type: 'string' } },
                  any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                  pattern: { type: 'string', pattern: '^([a-z]+)*[0-9]?$' },
                  patterns: { type: 'array', items: { type: 'string', pattern: '^(a|b|ab)*c$' } },
                  words: { type: 'string', pattern: '(\\w+\\s?)+end' },
                  counted: { type: 'string', pattern: '^(a?){50}a{50}$' },
                  uri: { type: 'string', format: 'uri' },
                  email: { type: 'string', format: 'email' },
                  dates: { type: 'array', items: { type: 'string', format: 'date-time' } },
                  ips: { type: 'array', items: { type: 'string', format: 'cidr' } },
                  intOrString: { type: 'array', items: { 'x-kubernetes-int-or-string': true } },
                  defaulted: {
                    type: 'array',
                    items: {
                      type: 'object',
                      properties: { a: { type: 'string', default: 'x' }, b: { type: 'integer', default: 5 } },
                    },
                  },
                  nullable: { type: 'array', items: { type: 'string', nullable: true } },
                  closed: { type: 'object', maxProperties: 5, additionalProperties: { type: 'integer' } },
                  embedded: {
                    type: 'object',
                    'x-kubernetes-embedded-resource': true,
                    'x-kubernetes-preserve-unknown-fields': true,
                  },
                },
              },
            },
          },
        },
        subresources: { status: {} },
        additionalPrinterColumns: [{ name: 'set', type: 'string', jsonPath: '.spec.set' }],
      },
    ],
  },
};
export const things: SmallObject = {
  server: 'extensions',
  apiVersion: `${group}/v1`,
  kind: 'Thing',
  collection: `/apis/${group}/v1/namespaces/default/things`,
  small: [['spec', '{}']],
};

export const definitions = (plural: string): SmallObject => ({
  server: 'extensions',
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  collection: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  fixedName: `${plural}.attacked.example.com`,
  small: Object.entries(definitionSpec(plural)).map(([key, value]): Member => [key, JSON.stringify(value)]),
});

function definitionSpec(plural: string): Record<string, unknown> {
  return {
    spec: {
      group: 'attacked.example.com',
      scope: 'Namespaced',
      names: { plural, singular: plural, kind: plural[0]?.toUpperCase() + plural.slice(1), listKind: `${plural}List` },
      versions: [{ name: 'v1', served: false, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  };
}
export const registrations: SmallObject = {
  server: 'core',
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  collection: '/apis/apiregistration.k8s.io/v1/apiservices',
  fixedName: 'v1.attacked.example.org',
  small: [
    [
      'spec',
      '{"group":"attacked.example.org","version":"v1","groupPriorityMinimum":10,"versionPriority":10,"service":{"name":"a","namespace":"default"},"insecureSkipTLSVerify":true}',
    ],
  ],
};
