import { pod } from './pod.ts';
import type { Step } from './step.ts';

const pods = '/api/v1/namespaces/adm-pods/pods';
const dry = `${pods}?dryRun=All`;
const account = (name: string, rest: Record<string, unknown> = {}): Record<string, unknown> => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name },
  ...rest,
});
const volume = (name: string, source: Record<string, unknown>): Record<string, unknown> => ({
  volumes: [{ name, ...source }],
});
const enforce = { 'kubernetes.io/enforce-mountable-secrets': 'true' };
const mirror = { annotations: { 'kubernetes.io/config.mirror': 'x' } };

function create(name: string, body: unknown, ...show: string[]): Step {
  return { name, method: 'POST', path: dry, body, show, settles: true };
}

function make(name: string, path: string, body: unknown): Step {
  return { name, method: 'POST', path, body };
}

/** Service accounts, priorities, tolerations, runtime classes, topology and images. */
export const podSteps: readonly Step[] = [
  make('namespace', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'adm-pods' } }),
  create('account missing', pod('a')),
  make('account', '/api/v1/namespaces/adm-pods/serviceaccounts', account('default')),
  create(
    'token mounted',
    pod('a', { initContainers: [{ name: 'i', image: 'i' }] }),
    'spec.serviceAccountName',
    'spec.serviceAccount',
    'spec.volumes',
    'spec.containers',
    'spec.initContainers',
  ),
  create('token declined', pod('a', { automountServiceAccountToken: false }), 'spec.volumes', 'spec.containers'),
  create(
    'something is mounted already',
    pod('a', volume('v', { emptyDir: {} }), {
      volumeMounts: [{ name: 'v', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }],
    }),
    'spec.volumes',
    'spec.containers',
  ),
  create('named account missing', pod('a', { serviceAccountName: 'none' })),
  make(
    'account that limits secrets',
    '/api/v1/namespaces/adm-pods/serviceaccounts',
    account('strict', {
      metadata: { name: 'strict', annotations: enforce },
      secrets: [{ name: 'one' }],
      imagePullSecrets: [{ name: 'pull' }],
    }),
  ),
  create('pull secrets taken over', pod('a', { serviceAccountName: 'strict' }), 'spec.imagePullSecrets'),
  create(
    'listed secret',
    pod('a', { serviceAccountName: 'strict', ...volume('v', { secret: { secretName: 'one' } }) }),
    'spec.serviceAccountName',
  ),
  create(
    'unlisted secret in a volume',
    pod('a', { serviceAccountName: 'strict', ...volume('v', { secret: { secretName: 'two' } }) }),
  ),
  create(
    'unlisted secret in a variable',
    pod(
      'a',
      { serviceAccountName: 'strict' },
      { env: [{ name: 'V', valueFrom: { secretKeyRef: { name: 'two', key: 'k' } } }] },
    ),
  ),
  create(
    'unlisted secret as environment',
    pod('a', { serviceAccountName: 'strict' }, { envFrom: [{ secretRef: { name: 'two' } }] }),
  ),
  create(
    'unlisted secret of an init container',
    pod('a', {
      serviceAccountName: 'strict',
      initContainers: [{ name: 'i', image: 'i', envFrom: [{ secretRef: { name: 'two' } }] }],
    }),
  ),
  create('unlisted pull secret', pod('a', { serviceAccountName: 'strict', imagePullSecrets: [{ name: 'other' }] })),
  create('mirror pod with account', pod('a', { nodeName: 'n', serviceAccountName: 'default' }, {}, mirror)),
  create(
    'mirror pod with secret',
    pod('a', { nodeName: 'n', ...volume('v', { secret: { secretName: 's' } }) }, {}, mirror),
  ),
  create(
    'mirror pod with token',
    pod(
      'a',
      { nodeName: 'n', ...volume('v', { projected: { sources: [{ serviceAccountToken: { path: 'p' } }] } }) },
      {},
      mirror,
    ),
  ),
  create('mirror pod', pod('a', { nodeName: 'n' }, {}, mirror), 'spec.volumes', 'spec.serviceAccountName'),

  create('no class', pod('a'), 'spec.priority', 'spec.preemptionPolicy', 'spec.priorityClassName', 'spec.tolerations'),
  create('class missing', pod('a', { priorityClassName: 'none' })),
  make('class', '/apis/scheduling.k8s.io/v1/priorityclasses', {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'adm-low' },
    value: 7,
    preemptionPolicy: 'Never',
    globalDefault: true,
  }),
  create('default class', pod('a'), 'spec.priority', 'spec.preemptionPolicy', 'spec.priorityClassName'),
  create("priority of one's own", pod('a', { priority: 8 })),
  create("policy of one's own", pod('a', { preemptionPolicy: 'PreemptLowerPriority' })),
  {
    ...make('second default class', '/apis/scheduling.k8s.io/v1/priorityclasses', {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'adm-high' },
      value: 70,
      globalDefault: true,
    }),
  },
  {
    name: 'same default class',
    method: 'PATCH',
    path: '/apis/scheduling.k8s.io/v1/priorityclasses/adm-low',
    body: { description: 'd' },
    show: ['description'],
  },
  { name: 'class gone', method: 'DELETE', path: '/apis/scheduling.k8s.io/v1/priorityclasses/adm-low' },

  create(
    'own toleration',
    pod('a', { tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' }] }),
    'spec.tolerations',
  ),
  create('tolerates everything', pod('a', { tolerations: [{ operator: 'Exists' }] }), 'spec.tolerations'),

  create('runtime class missing', pod('a', { runtimeClassName: 'none' })),
  make('runtime class', '/apis/node.k8s.io/v1/runtimeclasses', {
    apiVersion: 'node.k8s.io/v1',
    kind: 'RuntimeClass',
    metadata: { name: 'adm-run' },
    handler: 'h',
    overhead: { podFixed: { cpu: '100m' } },
    scheduling: { nodeSelector: { a: 'b' }, tolerations: [{ key: 't', operator: 'Exists', effect: 'NoSchedule' }] },
  }),
  create(
    'pod of the runtime class',
    pod('a', {
      runtimeClassName: 'adm-run',
      tolerations: [{ key: 't', operator: 'Equal', value: 'v', effect: 'NoSchedule' }],
    }),
    'spec.overhead',
    'spec.nodeSelector',
    'spec.tolerations',
  ),
  create('other overhead', pod('a', { runtimeClassName: 'adm-run', overhead: { cpu: '200m' } })),
  create('same overhead', pod('a', { runtimeClassName: 'adm-run', overhead: { cpu: '0.1' } }), 'spec.overhead'),
  create('other selector', pod('a', { runtimeClassName: 'adm-run', nodeSelector: { a: 'c' } })),
  create('overhead without class', pod('a', { overhead: { cpu: '1' } })),

  create('image always pulled', pod('a', {}, { imagePullPolicy: 'Never' }), 'spec.containers'),
  create(
    'affinity to a zone',
    pod('a', {
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone', labelSelector: {} }],
        },
      },
    }),
  ),
  create(
    'affinity to a node',
    pod('a', {
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: 'kubernetes.io/hostname', labelSelector: {} },
          ],
        },
      },
    }),
    'spec.affinity',
  ),
  create(
    'extended resource',
    pod('a', {}, { resources: { requests: { 'example.com/gpu': '1' }, limits: { 'example.com/gpu': '1' } } }),
    'spec.tolerations',
  ),

  make('node', '/api/v1/nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: 'adm-node',
      labels: { 'topology.kubernetes.io/zone': 'z', 'topology.kubernetes.io/region': 'r', other: 'o' },
    },
  }),
  { name: 'node is tainted', method: 'GET', path: '/api/v1/nodes/adm-node', show: ['spec'] },
  create('labels of the node', pod('a', { nodeName: 'adm-node' }), 'metadata.labels'),
];
