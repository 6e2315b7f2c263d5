import type { JsonObject, JsonValue } from '../../../shared/apimachinery/json.ts';
import { apply, type Request, type Series } from './series.ts';

interface Case {
  readonly collection: string;
  readonly object: (run: string, written: JsonValue) => JsonObject;
  /** Contents of a list that has one owner: as it is printed, and as it may be written. */
  readonly forms: readonly JsonValue[];
}

const policies: Case = {
  collection: '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies',
  object: (run, ingress) => ({ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name: run }, spec: { podSelector: {}, ingress } }),
  forms: [
    [{ from: [{ podSelector: {} }], ports: [{ port: 80 }] }], [{ from: [{ podSelector: { matchLabels: {} } }], ports: [{ port: 80 }] }], [{ from: [{ podSelector: { matchLabels: null } }], ports: [{ port: 80 }] }],
    [{ from: [{ podSelector: { matchExpressions: [] } }], ports: [{ port: 80, protocol: 'TCP' }] }], [{ from: [{ podSelector: {}, namespaceSelector: null }], ports: [{ port: 80 }] }],
  ],
};

const sources = (reference: JsonObject, items: JsonValue): JsonValue => [
  { downwardAPI: { items: [{ path: 'cpu', resourceFieldRef: { containerName: 'main', resource: 'requests.cpu', ...reference } }] } }, { configMap: { name: 'c', ...(items === undefined ? {} : { items }) } },
];
const pods: Case = {
  collection: '/api/v1/namespaces/default/podtemplates',
  object: (run, projected) => ({ apiVersion: 'v1', kind: 'PodTemplate', metadata: { name: run }, template: { spec: { containers: [{ name: 'main', image: 'i' }], volumes: [{ name: 'v', projected: { sources: projected } }] } } }),
  forms: [sources({ divisor: '0' }, null), sources({}, null), sources({ divisor: null }, null), sources({ divisor: '0' }, []), sources({ divisor: '1m' }, null), sources({ divisor: '0' }, null)],
};

const metric = (more: JsonObject): JsonValue => [{ type: 'Pods', pods: { metric: { name: 'm', ...more }, target: { type: 'AverageValue', averageValue: '1' } } }];
const autoscalers: Case = {
  collection: '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
  object: (run, metrics) => ({ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { name: run }, spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }, metrics } }),
  forms: [metric({}), metric({ selector: {} }), metric({ selector: { matchLabels: {} } }), metric({ selector: null })],
};

/** Each form is written by a manager of its own, in place of the form before. */
function requests({ collection, object, forms }: Case) {
  return (run: string): readonly Request[] => {
    const path = `${collection}/${run}`;
    return [
      { method: 'POST', path: `${collection}?fieldManager=first`, body: object(run, forms[0] ?? null) },
      ...forms.map((form, index): Request => ({ method: 'PUT', path: `${path}?fieldManager=put${index}`, body: object(run, form) })),
      ...forms.map((form, index): Request => ({ method: 'PATCH', path: `${path}?fieldManager=merge${index}`, body: object(run, form) })),
      ...forms.map((form, index): Request => apply(path, `apply${index}`, object(run, form), '&force=true')),
      { method: 'PUT', path: `${path}?fieldManager=last`, body: object(run, forms[0] ?? null) },
      { method: 'DELETE', path },
    ];
  };
}

export const atomicListSeries: readonly Series[] = [
  { name: 'lists with one owner, written otherwise: selectors', requests: requests(policies) },
  { name: 'lists with one owner, written otherwise: amounts', requests: requests(pods) },
  { name: 'lists with one owner, written otherwise: metrics', requests: requests(autoscalers) },
];
