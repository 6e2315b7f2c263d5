import type { JsonObject, JsonValue } from '../../../shared/apimachinery/json.ts';
import { apply, type Request, type Series } from './series.ts';

const namespace = '/api/v1/namespaces/default';
const pods = `${namespace}/pods`;

const amounts = (cpu: string, memory: string, more: JsonObject = {}): JsonObject => ({ cpu, memory, ...more });
const resources = (requests: JsonObject, limits?: JsonObject): JsonObject => ({ requests, ...(limits && { limits }) });
const container = (name: string, more: JsonObject = {}): JsonObject => ({ name, image: 'i', ...more });
const policy = (...pairs: [string, string][]): JsonObject[] =>
  pairs.map(([resourceName, restartPolicy]) => ({ resourceName, restartPolicy }));

const small = amounts('100m', '64Mi');
const burstable = resources(small);
const guaranteed = resources(small, small);
const extended = { 'example.com/device': '1' };

interface Kind {
  readonly spec: JsonObject;
  readonly annotations?: JsonObject;
  readonly status?: JsonObject;
}

const running = (more: JsonObject): JsonObject => ({
  containerStatuses: [
    {
      name: 'c',
      image: 'i',
      imageID: 'i',
      ready: true,
      restartCount: 0,
      state: { running: { startedAt: '2024-01-02T03:04:05Z' } },
      ...more,
    },
  ],
});

const kinds: Readonly<Record<string, Kind>> = {
  plain: { spec: { containers: [container('c')] } },
  burstable: {
    spec: {
      containers: [
        container('c', { resources: burstable }),
        container('d', { resources: resources(small, amounts('1', '1Gi')) }),
      ],
    },
  },
  guaranteed: {
    spec: { containers: [container('c', { resources: guaranteed }), container('d', { resources: guaranteed })] },
  },
  'with a sidecar and an init container': {
    spec: {
      initContainers: [
        container('s', { restartPolicy: 'Always', resources: burstable }),
        container('n', { resources: burstable }),
      ],
      containers: [container('c', { resources: burstable })],
    },
  },
  'with resize policies': {
    spec: {
      initContainers: [container('n', { resources: burstable, resizePolicy: policy(['cpu', 'NotRequired']) })],
      containers: [
        container('c', {
          resources: burstable,
          resizePolicy: policy(['cpu', 'RestartContainer'], ['memory', 'NotRequired']),
        }),
      ],
    },
  },
  'with claims': {
    spec: {
      resourceClaims: [{ name: 'r', resourceClaimName: 'r' }],
      containers: [container('c', { resources: { ...burstable, claims: [{ name: 'r' }] } })],
    },
  },
  'with extended resources': {
    spec: {
      containers: [
        container('c', { resources: resources({ ...small, ...extended, 'ephemeral-storage': '1Gi' }, extended) }),
      ],
    },
  },
  'with resources of the whole': {
    spec: {
      resources: resources(amounts('1', '1Gi'), amounts('2', '2Gi')),
      containers: [container('c', { resources: burstable })],
    },
  },
  'with huge pages of the whole': {
    spec: {
      resources: resources(amounts('1', '1Gi', { 'hugepages-2Mi': '4Mi' }), { 'hugepages-2Mi': '4Mi' }),
      containers: [container('c')],
    },
  },
  'for Windows': { spec: { os: { name: 'windows' }, containers: [container('c', { resources: burstable })] } },
  static: {
    annotations: { 'kubernetes.io/config.mirror': 'x' },
    spec: { nodeName: 'n', enableServiceLinks: true, containers: [container('c', { resources: burstable })] },
  },
  'on a node that is missing': { spec: { nodeName: 'n', containers: [container('c', { resources: burstable })] } },
  'that runs where its resources are reported': {
    spec: { containers: [container('c', { resources: burstable })] },
    status: running({ resources: burstable, allocatedResources: small }),
  },
  'that runs where none are reported': {
    spec: { containers: [container('c', { resources: burstable })] },
    status: running({}),
  },
  'with claims for what nodes have': {
    spec: {
      resourceClaims: [{ name: 'r', resourceClaimName: 'r' }],
      containers: [container('c', { resources: burstable })],
    },
    status: {
      nodeAllocatableResourceClaimStatuses: [{ resourceClaimName: 'r', containers: ['c'], resources: { cpu: '1' } }],
    },
  },
};

type Change = (spec: JsonObject) => JsonObject;

const list = (spec: JsonObject, name: string): JsonObject[] => (spec[name] ?? []) as JsonObject[];
const inFirst =
  (name: string, change: (first: JsonObject) => JsonObject): Change =>
  (spec) => ({ ...spec, [name]: list(spec, name).map((item, index) => (index === 0 ? change(item) : item)) });
const inAll =
  (name: string, change: (item: JsonObject) => JsonObject): Change =>
  (spec) => ({ ...spec, [name]: list(spec, name).map(change) });
const asking =
  (value: JsonObject) =>
  (item: JsonObject): JsonObject => ({ ...item, resources: value });
const more =
  (part: JsonObject) =>
  (item: JsonObject): JsonObject => ({ ...item, ...part });
const addTo =
  (which: 'requests' | 'limits', names: JsonObject) =>
  (item: JsonObject): JsonObject => {
    const before = (item['resources'] ?? {}) as JsonObject;
    return { ...item, resources: { ...before, [which]: { ...(before[which] as JsonObject | undefined), ...names } } };
  };

/** What a resize may ask for, of any pod. */
const changes: readonly Change[] = [
  (spec) => spec,
  inFirst('containers', addTo('requests', { cpu: '200m' })),
  inFirst('containers', addTo('limits', { cpu: '200m' })),
  inAll('containers', addTo('limits', amounts('1', '1Gi'))),
  inAll('containers', asking(resources(amounts('1', '1Gi'), amounts('1', '1073741824')))),
  inAll('containers', asking(resources(amounts('200m', '64Mi'), amounts('200m', '64Mi')))),
  inFirst('containers', asking(resources({ cpu: '100m' }))),
  inFirst('containers', asking(resources({ memory: '1Gi' }, { cpu: '1' }))),
  inFirst('containers', asking({})),
  inFirst('containers', asking(resources({ cpu: '0', memory: '0' }, amounts('1', '1Gi')))),
  inFirst('containers', asking(resources(amounts('2', '2Gi'), amounts('1', '1Gi')))),
  inFirst('containers', asking(resources(amounts('-1', '64.5Mi'), { cpu: '100u' }))),
  inFirst('containers', addTo('requests', { 'ephemeral-storage': '2Gi' })),
  inFirst('containers', addTo('limits', { 'ephemeral-storage': '2Gi' })),
  inFirst('containers', addTo('limits', { 'example.com/device': '2' })),
  inFirst('containers', addTo('requests', { 'example.com/device': '1' })),
  inFirst('containers', addTo('limits', { 'hugepages-2Mi': '4Mi' })),
  inFirst('containers', addTo('limits', { nonsense: '4' })),
  inFirst('containers', (item) => ({
    ...item,
    resources: { ...(item['resources'] as JsonObject | undefined), claims: [{ name: 'r' }] },
  })),
  inFirst('containers', (item) => ({
    ...item,
    resources: { ...(item['resources'] as JsonObject | undefined), claims: [{ name: 'other' }] },
  })),
  inFirst('containers', more({ resizePolicy: policy(['cpu', 'NotRequired']) })),
  inFirst('containers', more({ resizePolicy: policy(['memory', 'RestartContainer'], ['cpu', 'NotRequired']) })),
  inFirst('containers', more({ resizePolicy: policy(['disk', 'Sometimes']) })),
  inFirst('containers', more({ image: 'other', env: [{ name: 'A', value: 'b' }] })),
  inFirst('containers', more({ name: 'other' })),
  inFirst('containers', more({ image: '' })),
  (spec) => ({ ...spec, containers: [...list(spec, 'containers')].reverse() }),
  (spec) => ({ ...spec, containers: [...list(spec, 'containers'), container('more')] }),
  (spec) => ({
    ...spec,
    containers: [...list(spec, 'containers'), container('More', { resources: resources(amounts('1', '1Gi')) })],
    nodeName: 'other',
  }),
  (spec) => ({ ...spec, containers: list(spec, 'containers').slice(1) }),
  (spec) => ({ ...spec, initContainers: [...list(spec, 'initContainers'), container('more')] }),
  (spec) => ({ ...spec, initContainers: [] }),
  inFirst('initContainers', addTo('requests', { cpu: '200m' })),
  inAll('initContainers', addTo('requests', { cpu: '200m' })),
  inAll('initContainers', addTo('limits', amounts('1', '1Gi'))),
  inAll('initContainers', asking(resources({ cpu: '100m' }))),
  inAll('initContainers', addTo('requests', { 'ephemeral-storage': '1Gi' })),
  inAll('initContainers', more({ resizePolicy: policy(['cpu', 'NotRequired'], ['memory', 'NotRequired']) })),
  inAll('initContainers', more({ resizePolicy: policy(['cpu', 'RestartContainer']) })),
  inAll('initContainers', more({ name: 'other' })),
  inAll('initContainers', more({ restartPolicy: 'Always' })),
  (spec) => ({ ...spec, resources: {} }),
  (spec) => ({ ...spec, resources: { requests: {}, limits: {} } }),
  (spec) => ({ ...spec, resources: resources(amounts('2', '2Gi')) }),
  (spec) => ({ ...spec, resources: resources(amounts('2', '2Gi'), amounts('2', '2Gi')) }),
  (spec) => ({
    ...spec,
    resources: resources(
      amounts('2', '2Gi', { 'hugepages-2Mi': '2Mi' }),
      amounts('4', '4Gi', { 'hugepages-2Mi': '2Mi' }),
    ),
  }),
  (spec) => ({ ...spec, resources: resources({ 'example.com/device': '2' }) }),
  (spec) => ({ ...spec, resources: { ...(spec['resources'] as JsonObject | undefined), claims: [{ name: 'r' }] } }),
  ({ resources: _resources, ...spec }) => spec,
  (spec) => ({ ...spec, nodeName: 'other', activeDeadlineSeconds: 5, hostNetwork: true }),
  (spec) => ({ ...spec, containers: [] }),
  (spec) => ({ ...spec, containers: null }),
  () => ({}),
  // One at a time: an apply is looked at in random order, up to the first field that is unknown (structured-merge-diff
  // typed/validate.go).
  (spec) => ({ ...spec, unknown: 1 }),
  (spec) => ({
    ...spec,
    containers: list(spec, 'containers').map((item) => ({
      ...item,
      resources: { ...(item['resources'] as JsonObject | undefined), unknown: {} },
    })),
  }),
];

const account: Request = {
  method: 'POST',
  path: `${namespace}/serviceaccounts`,
  body: { metadata: { name: 'default' } },
};
const typed = (type: string): { headers: Readonly<Record<string, string>> } => ({
  headers: { 'content-type': `application/${type}+json` },
});

function setUp(run: string, { spec, annotations, status }: Kind): readonly Request[] {
  const body = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: run, labels: { a: 'b' }, ...(annotations && { annotations }) },
    spec: { automountServiceAccountToken: false, terminationGracePeriodSeconds: 0, ...spec },
  };
  return [
    account,
    { method: 'POST', path: pods, body },
    ...(status === undefined ? [] : [{ method: 'PATCH', path: `${pods}/${run}/status`, body: { status } }]),
  ];
}

const tearDown = (run: string): Request => ({
  method: 'DELETE',
  path: `${pods}/${run}`,
  body: { gracePeriodSeconds: 0 },
});

/** A change of the pod as it is there, whose answer is the one at `index`. */
function put(path: string, index: number, change: Change, metadata: JsonObject = {}): Request {
  return {
    method: 'PUT',
    path,
    body: (answers) => {
      const pod = (answers[index]?.body ?? {}) as JsonObject;
      return {
        ...pod,
        metadata: { ...(pod['metadata'] as JsonObject | undefined), ...metadata },
        spec: change((pod['spec'] ?? {}) as JsonObject),
      };
    },
  };
}

const query = (index: number): string => `?dryRun=All&fieldValidation=${['Warn', 'Strict', 'Ignore'][index % 3] ?? ''}`;

function resizes(kind: Kind) {
  return (run: string): readonly Request[] => {
    const path = `${pods}/${run}/resize`;
    const before = setUp(run, kind);
    const last = before.length - 1;
    const spec = kind.spec;
    return [
      ...before,
      ...changes.map((change, index) => put(`${path}${query(index)}`, last, change)),
      ...changes.map((change, index): Request => ({
        method: 'PATCH',
        path: `${path}${query(index)}`,
        body: { spec: change(spec) },
        ...typed('merge-patch'),
      })),
      ...changes.map((change, index): Request => ({
        method: 'PATCH',
        path: `${path}${query(index)}`,
        body: { spec: change(spec) },
        ...typed('strategic-merge-patch'),
      })),
      ...changes.map((change, index): Request => ({
        method: 'PATCH',
        path: `${path}${query(index)}`,
        body: [{ op: 'replace', path: '/spec', value: change(spec) }],
        ...typed('json-patch'),
      })),
      ...changes.map((change) =>
        apply(
          path,
          'm',
          { apiVersion: 'v1', kind: 'Pod', metadata: { name: run }, spec: change(spec) },
          '&dryRun=All&force=true',
        ),
      ),
      { method: 'PATCH', path, body: {} },
      put(path, last, (same) => same, {
        labels: { other: 'x' },
        annotations: { x: 'y' },
        finalizers: ['example.com/x'],
      }),
      put(path, last, (same) => same, { resourceVersion: '1' }),
      put(path, last, (same) => same, { uid: 'other' }),
      put(path, last, (same) => same, {
        generation: 7,
        creationTimestamp: null,
        generateName: 'x',
        resourceVersion: '',
      }),
      ...changes.slice(0, 6).map((change): Request => ({
        method: 'PATCH',
        path,
        body: { spec: change(spec) },
        ...typed('strategic-merge-patch'),
      })),
      apply(path, 'applier', {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: run },
        spec: { containers: [{ name: 'c', resources: resources({ cpu: '300m' }) }] },
      }),
      apply(
        path,
        'applier',
        {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: run },
          spec: { containers: [{ name: 'c', resources: resources({ cpu: '300m' }) }] },
        },
        '&force=true',
      ),
      apply(path, 'applier', { apiVersion: 'v1', kind: 'Pod', metadata: { name: run } }),
      { method: 'GET', path },
      tearDown(run),
    ];
  };
}

const debugging = (name: string, parts: JsonObject = {}): JsonObject => ({ name, image: 'debug', ...parts });

/** Ephemeral containers of a pod that has one, `e`. */
const debuggers: readonly (readonly JsonObject[])[] = [
  [],
  [debugging('e')],
  [debugging('e'), debugging('f')],
  [debugging('f'), debugging('e')],
  [debugging('e', { image: 'other' })],
  [debugging('e', { command: ['x'], tty: true })],
  [debugging('f')],
  [debugging('e'), debugging('e')],
  [debugging('e'), debugging('c')],
  [debugging('e'), debugging('')],
  [debugging('e'), debugging('F_')],
  [debugging('e'), debugging('f', { image: '' })],
  [debugging('e'), debugging('f', { image: ' x ' })],
  [debugging('e'), debugging('f', { targetContainerName: 'c' })],
  [debugging('e'), debugging('f', { targetContainerName: 'missing' })],
  [
    debugging('e'),
    debugging('f', {
      ports: [{ containerPort: 80 }],
      livenessProbe: { exec: { command: ['x'] } },
      lifecycle: { preStop: { exec: { command: ['x'] } } },
    }),
  ],
  [debugging('e'), debugging('f', { lifecycle: { stopSignal: 'SIGTERM' } })],
  [debugging('e'), debugging('f', { lifecycle: {} })],
  [debugging('e'), debugging('f', { resources: burstable })],
  [debugging('e'), debugging('f', { resources: {} })],
  [debugging('e'), debugging('f', { resizePolicy: policy(['cpu', 'NotRequired']), restartPolicy: 'Always' })],
  [
    debugging('e'),
    debugging('f', { restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }] }),
  ],
  [debugging('e'), debugging('f', { volumeMounts: [{ name: 'missing', mountPath: '/x', subPath: 'y' }] })],
  [debugging('e'), debugging('f', { env: [{ name: '', value: 'x' }], envFrom: [{}] })],
  [
    debugging('e'),
    debugging('f', {
      securityContext: { privileged: true, allowPrivilegeEscalation: false },
      imagePullPolicy: 'Sometimes',
      terminationMessagePolicy: 'x',
    }),
  ],
  [debugging('e'), debugging('f', { startupProbe: {}, readinessProbe: {}, unknown: 1 })],
];

function debugRequests(kind: Kind) {
  return (run: string): readonly Request[] => {
    const path = `${pods}/${run}/ephemeralcontainers`;
    const first: Request = {
      method: 'PATCH',
      path,
      body: { spec: { ephemeralContainers: [debugging('e')] } },
      ...typed('strategic-merge-patch'),
    };
    const before = [...setUp(run, kind), first, { method: 'GET', path: `${pods}/${run}` }];
    const last = before.length - 1;
    const body = (containers: JsonValue): JsonObject => ({ spec: { ephemeralContainers: containers } });
    return [
      ...before,
      ...debuggers.map((containers, index) =>
        put(
          `${path}${query(index)}`,
          last,
          (spec) => ({ ...spec, hostNetwork: true, ephemeralContainers: [...containers] }),
          { labels: { x: 'y' } },
        ),
      ),
      ...debuggers.map((containers, index): Request => ({
        method: 'PATCH',
        path: `${path}${query(index)}`,
        body: body([...containers]),
        ...typed('merge-patch'),
      })),
      ...debuggers.map((containers, index): Request => ({
        method: 'PATCH',
        path: `${path}${query(index)}`,
        body: body([...containers]),
        ...typed('strategic-merge-patch'),
      })),
      ...debuggers.map((containers, index): Request => ({
        method: 'PATCH',
        path: `${path}${query(index)}`,
        body: [{ op: 'add', path: '/spec/ephemeralContainers', value: [...containers] }],
        ...typed('json-patch'),
      })),
      ...debuggers.map((containers) =>
        apply(
          path,
          'm',
          { apiVersion: 'v1', kind: 'Pod', metadata: { name: run }, ...body([...containers]) },
          '&dryRun=All&force=true',
        ),
      ),
      put(path, last, (spec) => spec, { resourceVersion: '1' }),
      put(path, last, (spec) => ({ ...spec, containers: [], ephemeralContainers: [debugging('e'), debugging('g')] }), {
        generation: 7,
        resourceVersion: '',
      }),
      apply(path, 'applier', { apiVersion: 'v1', kind: 'Pod', metadata: { name: run }, ...body([debugging('h')]) }),
      apply(path, 'applier', { apiVersion: 'v1', kind: 'Pod', metadata: { name: run }, ...body([]) }),
      tearDown(run),
    ];
  };
}

/** Writes of `pods/resize` and `pods/ephemeralcontainers` of pods of many kinds. */
export const podSubresourceSeries: readonly Series[] = [
  ...Object.entries(kinds).map(([name, kind]): Series => ({
    name: `resizes of a pod ${name}`,
    requests: resizes(kind),
  })),
  ...['plain', 'static', 'with a sidecar and an init container', 'with claims'].map((name): Series => ({
    name: `ephemeral containers of a pod ${name}`,
    requests: debugRequests(kinds[name] as Kind),
  })),
];
