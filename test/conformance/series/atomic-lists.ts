import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { apply, onceCached, type Request, type Series } from './series.ts';

interface Case {
  readonly collection: string;
  readonly object: (run: string, written: JsonValue) => JsonObject;
  /** Contents of a list that has one owner: as it is printed, and as it may be written. */
  readonly forms: readonly JsonValue[];
}

const policies: Case = {
  collection: '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies',
  object: (run, ingress) => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: run },
    spec: { podSelector: {}, ingress },
  }),
  forms: [
    [{ from: [{ podSelector: {} }], ports: [{ port: 80 }] }],
    [{ from: [{ podSelector: { matchLabels: {} } }], ports: [{ port: 80 }] }],
    [{ from: [{ podSelector: { matchLabels: null } }], ports: [{ port: 80 }] }],
    [{ from: [{ podSelector: { matchExpressions: [] } }], ports: [{ port: 80, protocol: 'TCP' }] }],
    [{ from: [{ podSelector: {}, namespaceSelector: null }], ports: [{ port: 80 }] }],
  ],
};

const sources = (reference: JsonObject, items: JsonValue): JsonValue => [
  {
    downwardAPI: {
      items: [{ path: 'cpu', resourceFieldRef: { containerName: 'main', resource: 'requests.cpu', ...reference } }],
    },
  },
  { configMap: { name: 'c', ...(items === undefined ? {} : { items }) } },
];
const pods: Case = {
  collection: '/api/v1/namespaces/default/podtemplates',
  object: (run, projected) => ({
    apiVersion: 'v1',
    kind: 'PodTemplate',
    metadata: { name: run },
    template: {
      spec: { containers: [{ name: 'main', image: 'i' }], volumes: [{ name: 'v', projected: { sources: projected } }] },
    },
  }),
  forms: [
    sources({ divisor: '0' }, null),
    sources({}, null),
    sources({ divisor: null }, null),
    sources({ divisor: '0' }, []),
    sources({ divisor: '1m' }, null),
    sources({ divisor: '1000m' }, null),
    sources({ divisor: '1' }, null),
    sources({ divisor: '8Mi' }, null),
    sources({ divisor: '0' }, null),
  ],
};

const metric = (more: JsonObject): JsonValue => [
  { type: 'Pods', pods: { metric: { name: 'm', ...more }, target: { type: 'AverageValue', averageValue: '1' } } },
];
const autoscalers: Case = {
  collection: '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
  object: (run, metrics) => ({
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: run },
    spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }, metrics },
  }),
  forms: [metric({}), metric({ selector: {} }), metric({ selector: { matchLabels: {} } }), metric({ selector: null })],
};

/** Spellings of amounts, some of which Go keeps as it keeps their canonical form. */
const spellings: readonly JsonValue[] = [
  '1Gi',
  '1024Mi',
  1073741824,
  '1073741824',
  '1.0Gi',
  '1',
  '1000m',
  '1.0',
  1,
  1e3,
  '1e3',
  '1k',
  '0.001M',
  '08Ki',
  '8Ki',
  '8192',
  '512Mi',
  '1000Mi',
  '100Mi',
  '+1',
  '1.500',
  ' 1 ',
  '1E',
  '0',
  '0m',
  '1000000000000000000000',
  '1e21',
];
const statefulSets: Case = {
  collection: '/apis/apps/v1/namespaces/default/statefulsets',
  object: (run, storage) => ({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: run },
    spec: {
      serviceName: '',
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      volumeClaimTemplates: [
        { metadata: { name: 'v' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } } },
      ],
    },
  }),
  forms: ['8Gi', '8Gi', '16Gi', '16Gi', '1Gi', '1024Mi', 1073741824, '1.0Gi', '1Gi', '1048576Ki'],
};
const average = (averageValue: JsonValue): JsonValue => [
  { type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue } } },
];
const respelled: readonly Case[] = spellings.map((spelling) => ({
  ...autoscalers,
  forms: [average(spelling), average(spelling)],
}));

const policy = (sizes: JsonObject): JsonValue => [
  {
    name: 'd',
    allowMultipleAllocations: true,
    capacity: { memory: { value: '8Gi', requestPolicy: { default: '8Mi', ...sizes } } },
  },
];
const slices: Case = {
  collection: '/apis/resource.k8s.io/v1/resourceslices',
  object: (run, devices) => ({
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: run },
    spec: {
      driver: 'a.example.com',
      nodeName: 'n',
      pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
      devices,
    },
  }),
  forms: [
    [{ name: 'd', capacity: { memory: { value: '8Gi' } } }],
    [{ name: 'd', capacity: { memory: { value: '8192Mi' } } }],
    policy({ validValues: ['8Mi', '16Mi'] }),
    policy({ validRange: { min: '1', max: '8Gi', step: '1' } }),
    policy({ default: '1Mi', validValues: ['1Mi', '3Mi'] }),
  ],
};
const limits: Case = {
  collection: '/api/v1/namespaces/kube-public/limitranges',
  object: (run, list) => ({ apiVersion: 'v1', kind: 'LimitRange', metadata: { name: run }, spec: { limits: list } }),
  forms: [
    [{ type: 'Pod', max: { memory: '8Gi' } }],
    [{ type: 'Pod', max: { memory: '8192Mi' } }],
    [{ type: 'Pod', max: { memory: '8Gi' } }],
  ],
};

/**
 * Each form is written by a manager of its own, in place of the form before. The cache of the reference has to hold the
 * form before: it prints the amounts of a cached object before it compares them with new ones, which keeps their texts
 * beside them, and `512Mi` with its text is not `512Mi` without (apimachinery pkg/api/resource/quantity.go, String;
 * structured-merge-diff value/listreflect.go). A stored object that the cache lacks is compared without them.
 */
function requests(one: Case) {
  return (run: string): readonly Request[] => {
    const path = `${one.collection}/${run}`;
    return writes(one, run, path).flatMap((write, index) => (index === 0 ? [write] : [onceCached(path), write]));
  };
}

function writes({ collection, object, forms }: Case, run: string, path: string): readonly Request[] {
  return [
    { method: 'POST', path: `${collection}?fieldManager=first`, body: object(run, forms[0] ?? null) },
    ...forms.map((form, index): Request => ({
      method: 'PUT',
      path: `${path}?fieldManager=put${index}`,
      body: object(run, form),
    })),
    ...forms.map((form, index): Request => ({
      method: 'PATCH',
      path: `${path}?fieldManager=merge${index}`,
      body: object(run, form),
    })),
    ...forms.map((form, index): Request => apply(path, `apply${index}`, object(run, form), '&force=true')),
    { method: 'PUT', path: `${path}?fieldManager=last`, body: object(run, forms[0] ?? null) },
    { method: 'PATCH', path: `${path}?fieldManager=labels`, body: { metadata: { labels: { a: 'b' } } } },
    {
      method: 'PATCH',
      path: `${path}?fieldManager=strategic`,
      body: { metadata: { labels: { c: 'd' } } },
      headers: { 'content-type': 'application/strategic-merge-patch+json' },
    },
    {
      method: 'PATCH',
      path: `${path}?fieldManager=json`,
      body: [{ op: 'add', path: '/metadata/annotations', value: { e: 'f' } }],
      headers: { 'content-type': 'application/json-patch+json' },
    },
    { method: 'DELETE', path },
  ];
}

export const atomicListSeries: readonly Series[] = [
  { name: 'lists with one owner, written otherwise: selectors', requests: requests(policies) },
  { name: 'lists with one owner, written otherwise: amounts', requests: requests(pods) },
  { name: 'lists with one owner, written otherwise: metrics', requests: requests(autoscalers) },
  { name: 'lists with one owner, written otherwise: templates of claims', requests: requests(statefulSets) },
  { name: 'lists with one owner, written otherwise: devices', requests: requests(slices) },
  { name: 'lists with one owner, written otherwise: limits', requests: requests(limits) },
  ...respelled.map((one, index): Series => ({
    name: `lists with one owner, written otherwise: the amount ${JSON.stringify(spellings[index])}`,
    requests: requests(one),
  })),
];
