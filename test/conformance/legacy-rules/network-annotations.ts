import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Request } from '#test/conformance/series/series.ts';
import { patch, post } from './requests.ts';
import type { RuleCase } from './rule-case.ts';

const ingresses = '/apis/networking.k8s.io/v1/namespaces/default/ingresses';
const services = '/api/v1/namespaces/default/services';
const ingressClass = 'kubernetes.io/ingress.class';
const hints = 'service.kubernetes.io/topology-aware-hints';
const mode = 'service.kubernetes.io/topology-mode';
const ranges = 'service.beta.kubernetes.io/load-balancer-source-ranges';

const backend = { defaultBackend: { service: { name: 's', port: { number: 1 } } } };
const values = [null, '', 'a', 'b'];
const some = (key: string, value: string | null): JsonObject => (value === null ? {} : { [key]: value });

function ingressesWithClasses(run: string): readonly Request[] {
  return values.flatMap((annotation, at) =>
    values.flatMap((name, index) => {
      const own = `${run}-${at}-${index}`;
      return [
        post(ingresses, {
          metadata: { name: own, annotations: some(ingressClass, annotation) },
          spec: { ...backend, ...some('ingressClassName', name) },
        }),
        patch(`${ingresses}/${own}`, { metadata: { annotations: { [ingressClass]: 'c' } } }),
        patch(`${ingresses}/${own}`, { spec: { ingressClassName: 'd' } }),
      ];
    }),
  );
}

const ports = [{ port: 80 }];

function servicesWithHints(run: string): readonly Request[] {
  return values.flatMap((old, at) =>
    values.flatMap((now, index) => {
      const own = `${run}-${at}-${index}`;
      return [
        post(services, {
          metadata: { name: own, annotations: { ...some(hints, old), ...some(mode, now) } },
          spec: { ports },
        }),
        patch(`${services}/${own}`, { metadata: { annotations: { [mode]: 'c' } } }),
        patch(`${services}/${own}/status`, { metadata: { annotations: { [hints]: 'd' } } }),
        { method: 'DELETE', path: `${services}/${own}` },
      ];
    }),
  );
}

const lists = [
  '',
  ' ',
  '10.0.0.0/8',
  ' 10.0.0.0/8 , 1.2.3.0/24',
  '10.0.0.0/8,',
  '010.0.0.0/8',
  '10.0.0.1/8',
  'junk',
  '::/0',
];

function servicesWithRanges(run: string): readonly Request[] {
  return lists.flatMap((list, at) =>
    ['ClusterIP', 'LoadBalancer'].flatMap((type) => {
      const own = `${run}-${at}-${type.toLowerCase()}`;
      const annotations = { [ranges]: list };
      return [
        post(services, { metadata: { name: own, annotations }, spec: { type, ports } }),
        post(services, {
          metadata: { name: own, annotations },
          spec: { type, ports, loadBalancerSourceRanges: ['1.2.3.4/32'] },
        }),
        post(services, { metadata: { name: `${own}-c` }, spec: { type, ports } }),
        patch(`${services}/${own}-c`, { metadata: { annotations } }),
        patch(`${services}/${own}-c`, { metadata: { labels: { a: 'b' } } }),
        patch(`${services}/${own}-c`, { spec: { type: 'ClusterIP' } }),
        { method: 'DELETE', path: `${services}/${own}` },
        { method: 'DELETE', path: `${services}/${own}-c` },
      ];
    }),
  );
}

export const networkAnnotationCases: readonly RuleCase[] = [
  { name: 'ingresses with a class', covers: [ingressClass], requests: ingressesWithClasses },
  { name: 'services with hints', covers: [hints, mode], requests: servicesWithHints },
  { name: 'services with source ranges', covers: [ranges], requests: servicesWithRanges },
];
