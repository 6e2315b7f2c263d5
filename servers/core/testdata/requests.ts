import type { JsonObject } from '../../../shared/apimachinery/json.ts';

/** A creation that the reference was asked for, as a dry run. */
export interface RecordedRequest {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespaced: boolean;
  readonly body: JsonObject;
}

const container = { name: 'c', image: 'nginx' };
const labels = { app: 'a' };
const selector = { matchLabels: labels };
const template = { metadata: { labels }, spec: { containers: [container] } };
const metadata = { name: 'recorded' };

function request(group: string, version: string, resource: string, kind: string, content: JsonObject, namespaced = true): RecordedRequest {
  return { group, version, resource, namespaced, body: { apiVersion: group === '' ? version : `${group}/${version}`, kind, metadata: { ...metadata }, ...content } };
}

/** Defaults and errors of the kinds whose outcome no admission plugin touches. */
export const requests: readonly RecordedRequest[] = [
  request('apps', 'v1', 'deployments', 'Deployment', { spec: { selector, template } }),
  request('apps', 'v1', 'deployments', 'Deployment', { spec: { replicas: -1, selector: { matchLabels: { other: 'x' } }, template, strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } } } }),
  request('apps', 'v1', 'daemonsets', 'DaemonSet', { spec: { selector, template } }),
  request('apps', 'v1', 'statefulsets', 'StatefulSet', { spec: { selector, template, serviceName: 's', volumeClaimTemplates: [{ metadata: { name: 'd' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } }] } }),
  request('batch', 'v1', 'cronjobs', 'CronJob', { spec: { schedule: '61 * * * *', jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } } } }),
  request('batch', 'v1', 'cronjobs', 'CronJob', { spec: { schedule: '@hourly', timeZone: 'Europe/Berlin', jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } } } }),
  request('autoscaling', 'v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', { spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, behavior: { scaleUp: {} } } }),
  request('networking.k8s.io', 'v1', 'networkpolicies', 'NetworkPolicy', { spec: { podSelector: {}, egress: [{ ports: [{ port: 53 }] }] } }),
  request('networking.k8s.io', 'v1', 'networkpolicies', 'NetworkPolicy', { spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16', '11.0.0.0/8', '10.0.0.0/8'] } }], ports: [{ port: 80, endPort: 70 }] }] } }),
  request('networking.k8s.io', 'v1', 'ingresses', 'Ingress', { spec: { rules: [{ host: 'a.b', http: { paths: [{ pathType: 'Prefix', path: '/a//b/..', backend: { service: { name: 's', port: { name: 'x', number: 1 } } } }] } }] } }),
  request('', 'v1', 'limitranges', 'LimitRange', { spec: { limits: [{ type: 'Container', max: { cpu: '2' }, min: { cpu: '1' } }] } }),
  request('', 'v1', 'limitranges', 'LimitRange', { spec: { limits: [{ type: 'Container', max: { cpu: '1' }, maxLimitRequestRatio: { cpu: '500m' } }, { type: 'Container' }, { type: 'odd' }] } }),
  request('', 'v1', 'resourcequotas', 'ResourceQuota', { spec: { hard: { 'requests.cpu': '1', 'pods': '2' }, scopes: ['BestEffort', 'Terminating', 'NotTerminating'] } }),
  request('', 'v1', 'endpoints', 'Endpoints', { subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }] }),
  request('', 'v1', 'endpoints', 'Endpoints', { subsets: [{ addresses: [{ ip: '127.0.0.1', hostname: 'A' }] }, { ports: [{ port: 1 }] }] }),
  request('', 'v1', 'podtemplates', 'PodTemplate', { template: { spec: { containers: [{ ...container, livenessProbe: { httpGet: { port: 80 } }, ports: [{ containerPort: 80 }] }], hostNetwork: true, volumes: [{ name: 'v', secret: { secretName: 's' } }, { name: 'w' }] } } }),
  request('policy', 'v1', 'poddisruptionbudgets', 'PodDisruptionBudget', { spec: { minAvailable: '101%', selector } }),
  request('rbac.authorization.k8s.io', 'v1', 'roles', 'Role', { rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], nonResourceURLs: ['/x'] }] }),
  request('storage.k8s.io', 'v1', 'csidrivers', 'CSIDriver', { spec: {} }, false),
  request('storage.k8s.io', 'v1', 'storageclasses', 'StorageClass', { provisioner: 'a.b/c' }, false),
  request('scheduling.k8s.io', 'v1', 'priorityclasses', 'PriorityClass', { value: 1_000_000_001 }, false),
  request('discovery.k8s.io', 'v1', 'endpointslices', 'EndpointSlice', { addressType: 'IPv6', endpoints: [{ addresses: ['fd00::0001'] }], ports: [{ port: 1 }] }),
  request('node.k8s.io', 'v1', 'runtimeclasses', 'RuntimeClass', { handler: 'h', overhead: { podFixed: { memory: '-1', odd: '1' } } }, false),
];
