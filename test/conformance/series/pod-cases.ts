import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Request } from './series.ts';

const namespace = '/api/v1/namespaces/default';
export const pods = `${namespace}/pods`;

export const amounts = (cpu: string, memory: string, more: JsonObject = {}): JsonObject => ({ cpu, memory, ...more });
export const resources = (requests: JsonObject, limits?: JsonObject): JsonObject => ({
  requests,
  ...(limits && { limits }),
});
export const container = (name: string, more: JsonObject = {}): JsonObject => ({ name, image: 'i', ...more });
export const policy = (...pairs: [string, string][]): JsonObject[] =>
  pairs.map(([resourceName, restartPolicy]) => ({ resourceName, restartPolicy }));

const small = amounts('100m', '64Mi');
export const burstable = resources(small);
const guaranteed = resources(small, small);
const extended = { 'example.com/device': '1' };

/** A pod with what the series write to it first. */
export interface PodCase {
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

/** By what is special about them. */
export const podCases: Readonly<Record<string, PodCase>> = {
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

const account: Request = {
  method: 'POST',
  path: `${namespace}/serviceaccounts`,
  body: { metadata: { name: 'default' } },
};
/** The content type of a patch. */
export const patchHeaders = (type: string): { headers: Readonly<Record<string, string>> } => ({
  headers: { 'content-type': `application/${type}+json` },
});

/** Requests that make the pod. */
export function podSetUp(run: string, { spec, annotations, status }: PodCase): readonly Request[] {
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

export const podTearDown = (run: string): Request => ({
  method: 'DELETE',
  path: `${pods}/${run}`,
  body: { gracePeriodSeconds: 0 },
});

export type SpecChange = (spec: JsonObject) => JsonObject;

/** A PUT of the pod as it is there, whose answer is the one at `index`. */
export function putPod(path: string, index: number, change: SpecChange, metadata: JsonObject = {}): Request {
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

export const queryOf = (index: number): string =>
  `?dryRun=All&fieldValidation=${['Warn', 'Strict', 'Ignore'][index % 3] ?? ''}`;
