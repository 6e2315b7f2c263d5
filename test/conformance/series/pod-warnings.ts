import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Request, Series } from './series.ts';

const image = 'nginx';
const labels = { app: 'a' };
const container = (more: JsonObject): JsonObject => ({ name: 'c', image, ...more });
const pod = (spec: JsonObject, annotations: JsonObject = {}): JsonObject => ({
  metadata: { labels, annotations },
  spec: { containers: [container({})], ...spec },
});
const term = (more: JsonObject): JsonObject => ({
  matchExpressions: [
    { key: 'beta.kubernetes.io/arch', operator: 'In', values: ['amd64'] },
    { key: 'ok', operator: 'In', values: ['a b', '-'] },
  ],
  ...more,
});
const near = { topologyKey: 'kubernetes.io/hostname' };
const [required, preferred] = [
  'requiredDuringSchedulingIgnoredDuringExecution',
  'preferredDuringSchedulingIgnoredDuringExecution',
] as const;
const items = (...paths: string[]): JsonValue => paths.map((path, index) => ({ key: `k${index}`, path }));
const downward = (...paths: string[]): JsonValue =>
  paths.map((path) => ({ path, fieldRef: { fieldPath: 'metadata.name' } }));
const volumes = (...sources: JsonObject[]): JsonObject => ({
  volumes: sources.map((source, index) => ({ name: `v${index}`, ...source })),
});
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1.5' } } };
const ports = (...list: JsonObject[]): JsonObject => ({ ports: list });
const apparmor = 'container.apparmor.security.beta.kubernetes.io/';

/** Pods that are to be warned of, by what is wrong. */
const pods: Readonly<Record<string, JsonObject>> = {
  'labels of nodes': pod({
    nodeSelector: { 'beta.kubernetes.io/os': 'linux', ok: 'a' },
    affinity: {
      nodeAffinity: {
        [required]: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'node-role.kubernetes.io/master', operator: 'Exists' }] }],
        },
        [preferred]: [{ weight: 1, preference: term({}) }],
      },
    },
    topologySpreadConstraints: [
      { maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', topologyKey: 'failure-domain.beta.kubernetes.io/zone' },
    ],
  }),
  'selectors that match nothing': pod({
    affinity: {
      podAffinity: { [required]: [near], [preferred]: [{ weight: 1, podAffinityTerm: near }] },
      podAntiAffinity: {
        [required]: [{ ...near, labelSelector: {} }, near],
        [preferred]: [{ weight: 1, podAffinityTerm: near }],
      },
    },
  }),
  annotations: pod(
    {
      securityContext: { appArmorProfile: { type: 'RuntimeDefault' } },
      initContainers: [container({ name: 'i', securityContext: { seccompProfile: { type: 'RuntimeDefault' } } })],
      containers: [
        container({}),
        container({ name: 'd' }),
        container({ name: 'e' }),
        container({ name: 'f', securityContext: { appArmorProfile: { type: 'Unconfined' } } }),
      ],
    },
    {
      'scheduler.alpha.kubernetes.io/critical-pod': '',
      'security.alpha.kubernetes.io/sysctls': 'a=1',
      'security.alpha.kubernetes.io/unsafe-sysctls': 'a=1',
      'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default',
      'container.seccomp.security.alpha.kubernetes.io/c': 'unconfined',
      'container.seccomp.security.alpha.kubernetes.io/i': 'runtime/default',
      [`${apparmor}i`]: 'runtime/default',
      [`${apparmor}c`]: 'localhost/some',
      [`${apparmor}d`]: 'unconfined',
      [`${apparmor}f`]: 'unconfined',
    },
  ),
  'AppArmor of a pod without a profile': pod(
    { containers: [container({}), container({ name: 'd' })] },
    { [`${apparmor}c`]: 'runtime/default', [`${apparmor}d`]: 'unconfined' },
  ),
  'AppArmor on Windows': pod({ os: { name: 'windows' } }, { [`${apparmor}c`]: 'runtime/default' }),
  'drivers that are gone': pod(
    volumes(
      { photonPersistentDisk: { pdID: 'a' } },
      { gitRepo: { repository: 'a' } },
      { scaleIO: { gateway: 'a', system: 'a', secretRef: { name: 'a' }, volumeName: 'a' } },
      { flocker: { datasetName: 'a' } },
      { storageos: { volumeName: 'a', volumeNamespace: 'b' } },
      { quobyte: { registry: 'a:1', volume: 'a' } },
      { glusterfs: { endpoints: 'a', path: 'a' } },
      { cephfs: { monitors: ['a'] } },
      { rbd: { monitors: ['a'], image: 'a' } },
      {
        ephemeral: {
          volumeClaimTemplate: {
            spec: { ...claim, resources: { requests: { storage: '1500m' }, limits: { storage: '2500m' } } },
          },
        },
      },
    ),
  ),
  'files that hide each other': pod(
    volumes(
      { configMap: { name: 'a', items: items('a', 'a/b', 'b', 'a/', 'ab') } },
      { secret: { secretName: 'a', items: items('x/y', 'x', 'z') } },
      { downwardAPI: { items: downward('a', 'a') } },
      {
        projected: {
          sources: [
            { configMap: { name: 'a', items: items('a', 'b/c') } },
            { secret: { name: 's', items: items('a', 'd') } },
            { downwardAPI: { items: downward('b') } },
            { serviceAccountToken: { path: 'd/token' } },
            {},
            { configMap: { name: 'all' } },
          ],
        },
      },
    ),
  ),
  'things twice': pod({
    hostAliases: [
      { ip: '10.1.1.1', hostnames: ['a'] },
      { ip: '10.1.1.1', hostnames: ['b'] },
      { ip: 'fd00::0001', hostnames: ['c'] },
    ],
    imagePullSecrets: [{ name: 'a' }, { name: 'a' }, {}],
    dnsPolicy: 'None',
    dnsConfig: { nameservers: ['2001:DB8::1', '10.0.0.1'] },
  }),
  'fractions of bytes': pod({
    containers: [
      container({
        resources: {
          limits: { memory: '1.5', 'ephemeral-storage': '100u', cpu: '1.5' },
          requests: { memory: '1.5', 'ephemeral-storage': '1n' },
        },
      }),
      container({ name: 'd', resources: { limits: { memory: '0.5Ki' }, requests: { memory: '1e-1' } } }),
    ],
    initContainers: [container({ name: 'i', resources: { limits: { memory: '999.9m' } } })],
  }),
  'fractions of bytes beyond 64 bits': pod({
    containers: [
      container({ resources: { limits: { memory: '8999999999999999999', 'ephemeral-storage': '9E' } } }),
      container({ name: 'd', resources: { limits: { memory: '10Ei', 'ephemeral-storage': '9223372036854775.5' } } }),
    ],
  }),
  variables: pod({
    containers: [
      container({
        env: [
          { name: 'A', value: '1' },
          { name: 'A', value: '$(A)2' },
          { name: 'A', value: '$(A)' },
          { name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
          { name: 'B' },
          { name: 'B', value: 'x' },
        ],
      }),
    ],
  }),
  ports: pod({
    initContainers: [container({ name: 'i', restartPolicy: 'Always', ...ports({ containerPort: 80, name: 'web' }) })],
    containers: [
      container(
        ports(
          { containerPort: 80 },
          { containerPort: 80, hostPort: 8080 },
          { containerPort: 80, hostPort: 8080, hostIP: '10.1.1.1' },
          { containerPort: 80, protocol: 'UDP' },
          { containerPort: 81, hostIP: '10.1.1.1', name: 'some' },
        ),
      ),
      container({
        name: 'd',
        ...ports(
          { containerPort: 80, name: 'web' },
          { containerPort: 81, hostPort: 8081, hostIP: '10.1.1.2' },
          { containerPort: 82, hostPort: 8082 },
          { containerPort: 82, hostPort: 8083 },
        ),
      }),
    ],
  }),
  'a negative grace period': pod({ terminationGracePeriodSeconds: -1 }),
  'a null list and an empty one': pod({ volumes: null, hostAliases: [], imagePullSecrets: null }),
  'more than headers hold': pod({
    containers: Array.from({ length: 40 }, (_, index) =>
      container({ name: `c${index}`, ...ports({ containerPort: 80, name: 'same' }) }),
    ),
  }),
  'variables with names that are long': pod({
    containers: Array.from({ length: 15 }, (_, index) =>
      container({
        name: `c${index}`,
        env: ['1', '2'].map((value) => ({ name: 'L'.repeat(300) + String(index), value })),
      }),
    ),
  }),
};

const selector = { matchLabels: labels };
const job = (template: JsonObject): JsonObject => ({
  template: { ...template, spec: { ...(template['spec'] as JsonObject), restartPolicy: 'Never' } },
});

/** A resource with a template, and where that is. */
interface Holder {
  readonly path: string;
  readonly kind: readonly [version: string, kind: string];
  readonly spec: (template: JsonObject) => JsonObject;
  /** A change of the object that leaves the template alone. */
  readonly change: JsonObject;
}

const namespaced = (base: string, resource: string): string => `${base}/namespaces/default/${resource}`;
const holders: readonly Holder[] = [
  {
    path: namespaced('/apis/apps/v1', 'deployments'),
    kind: ['apps/v1', 'Deployment'],
    spec: (template) => ({ spec: { selector, template } }),
    change: { spec: { replicas: 2 } },
  },
  {
    path: namespaced('/apis/apps/v1', 'replicasets'),
    kind: ['apps/v1', 'ReplicaSet'],
    spec: (template) => ({ spec: { selector, template } }),
    change: { spec: { replicas: 2 } },
  },
  {
    path: namespaced('/apis/apps/v1', 'daemonsets'),
    kind: ['apps/v1', 'DaemonSet'],
    spec: (template) => ({ spec: { selector, template } }),
    change: { spec: { minReadySeconds: 2 } },
  },
  {
    path: namespaced('/apis/apps/v1', 'statefulsets'),
    kind: ['apps/v1', 'StatefulSet'],
    spec: (template) => ({
      spec: {
        selector,
        template,
        serviceName: 's',
        revisionHistoryLimit: -1,
        volumeClaimTemplates: [{ metadata: { name: 'd' }, spec: claim }],
      },
    }),
    change: { spec: { replicas: 2 } },
  },
  {
    path: namespaced('/apis/batch/v1', 'jobs'),
    kind: ['batch/v1', 'Job'],
    spec: (template) => ({
      spec: { ...job(template), suspend: true, completionMode: 'Indexed', completions: 100_001, parallelism: 10_001 },
    }),
    change: { spec: { suspend: false } },
  },
  {
    path: namespaced('/apis/batch/v1', 'cronjobs'),
    kind: ['batch/v1', 'CronJob'],
    spec: (template) => ({ spec: { schedule: '@hourly', jobTemplate: { spec: job(template) } } }),
    change: { spec: { suspend: true } },
  },
  {
    path: namespaced('/api/v1', 'replicationcontrollers'),
    kind: ['v1', 'ReplicationController'],
    spec: (template) => ({ spec: { selector: labels, template } }),
    change: { spec: { replicas: 2 } },
  },
  {
    path: namespaced('/api/v1', 'podtemplates'),
    kind: ['v1', 'PodTemplate'],
    spec: (template) => ({ template }),
    change: { metadata: { labels: { other: 'a' } } },
  },
];

const object = (kind: readonly [string, string], name: string, content: JsonObject): JsonObject => ({
  apiVersion: kind[0],
  kind: kind[1],
  metadata: { name },
  ...content,
});

/** What a template says that comes later than the object, and goes again. */
function changes({ path, kind, spec, change }: Holder, run: string): readonly Request[] {
  const name = `${run}.dots`;
  const at = `${path}/${name}`;
  const bad = pod(
    {
      hostAliases: [
        { ip: '10.1.1.1', hostnames: ['a'] },
        { ip: '10.1.1.1', hostnames: ['b'] },
      ],
    },
    { [`${apparmor}c`]: 'unconfined' },
  );
  const put = (template: JsonObject, more: JsonObject = {}): Request => ({
    method: 'PUT',
    path: at,
    body: object(kind, name, { ...spec(template), ...more }),
  });
  return [
    { method: 'POST', path, body: object(kind, name, spec(pod({}))) },
    put(bad),
    put(bad),
    { method: 'PATCH', path: at, body: change },
    { method: 'PATCH', path: `${at}/status`, body: { status: {} } },
    { method: 'PATCH', path: `${at}/scale`, body: { spec: { replicas: 3 } } },
    { method: 'PATCH', path: at, body: { metadata: { annotations: { a: 'b' } } } },
    put(pod({})),
    { method: 'DELETE', path: at },
    { method: 'DELETE', path: `${path}?labelSelector=none%3Dsuch` },
  ];
}

export const podWarningSeries: readonly Series[] = [
  ...Object.entries(pods).map(([what, content]): Series => ({
    name: `warnings of pods: ${what}`,
    requests: (run) => [
      {
        method: 'POST',
        path: '/api/v1/namespaces/default/pods',
        body: {
          ...object(['v1', 'Pod'], run, content),
          metadata: { ...(content['metadata'] as JsonObject), name: `${run}.pod` },
        },
      },
      {
        method: 'PATCH',
        path: `/api/v1/namespaces/default/pods/${run}.pod`,
        body: { metadata: { labels: { b: 'c' } } },
      },
      ...holders.map(({ path, kind, spec }): Request => ({
        method: 'POST',
        path,
        body: object(kind, run, spec(content)),
      })),
    ],
  })),
  ...holders.map((holder): Series => ({
    name: `warnings of templates that change: ${holder.kind[1]}`,
    requests: (run) => changes(holder, run),
  })),
];
