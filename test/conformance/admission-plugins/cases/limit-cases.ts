import { configMap, namespaceOf, patch, pathIn, post, tryPost, type CaseStep, type PluginCase } from './plugin-case.ts';

type Json = Record<string, unknown>;

const classes = '/apis/networking.k8s.io/v1/ingressclasses';
const ingresses = `/apis/networking.k8s.io/v1/namespaces/${namespaceOf('DefaultIngressClass')}/ingresses`;

function ingress(spec: Json = {}): Json {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'i' },
    spec: { defaultBackend: { service: { name: 's', port: { number: 1 } } }, ...spec },
  };
}

function service(spec: Json = {}): CaseStep {
  const body = { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec: { ports: [{ port: 1 }], ...spec } };
  return tryPost(pathIn('DenyServiceExternalIPs', 'services'), body, 'spec.externalIPs');
}

/** More events than the limit of a namespace lets through. */
const manyEvents = 20;

function event(namespace: string): CaseStep {
  return post(`/api/v1/namespaces/${namespace}/events`, {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { generateName: 'e-', namespace },
    involvedObject: { kind: 'Pod', namespace, name: 'p', uid: 'u', apiVersion: 'v1' },
    source: { component: 'c', host: 'h' },
    reason: 'r',
  });
}

const quota = { hard: { configmaps: '0' } };
const quotas = pathIn('ResourceQuota', 'resourcequotas');

/** Plugins about services, ingresses, events and quotas. */
export const limitCases: readonly PluginCase[] = [
  {
    plugin: 'DefaultIngressClass',
    given: [
      post(classes, {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'IngressClass',
        metadata: { name: 'case', annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
        spec: { controller: 'a/b' },
      }),
    ],
    admits: tryPost(ingresses, ingress({ ingressClassName: 'other' }), 'spec.ingressClassName'),
    changes: tryPost(ingresses, ingress(), 'spec.ingressClassName'),
  },
  {
    plugin: 'DenyServiceExternalIPs',
    admits: service(),
    refuses: service({ externalIPs: ['1.2.3.4'] }),
  },
  {
    plugin: 'EventRateLimit',
    admits: event('default'),
    refuses: { ...event(namespaceOf('EventRateLimit')), times: manyEvents },
  },
  {
    plugin: 'ResourceQuota',
    given: [
      post(quotas, { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec: quota }),
      patch(`${quotas}/q/status`, { status: { ...quota, used: { configmaps: '0' } } }),
    ],
    admits: tryPost(pathIn('ResourceQuota', 'secrets'), { ...configMap('a'), kind: 'Secret' }),
    refuses: tryPost(pathIn('ResourceQuota', 'configmaps'), configMap('a')),
  },
];
