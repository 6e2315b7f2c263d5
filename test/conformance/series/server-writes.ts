import { type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import type { Exchange } from '#test/compare/exchange.ts';
import { get, type Request, type Series } from './series.ts';

// Objects that the server makes or changes by itself, and what it sets on objects of others: who owns these fields?

const core = '/api/v1/namespaces/default';
const isThere = ({ status }: Exchange): boolean => status === 200;
const isGone = ({ status }: Exchange): boolean => status === 404;

function tells(word: string): Pick<Request, 'until'> {
  return { until: ({ body }) => JSON.stringify(body).includes(word) };
}

/** The address that an earlier answer gave to a Service. */
function addressIn(answers: readonly Exchange[], name: string): string {
  const service = answers.findLast(({ body }) => stringAt(body, 'metadata', 'name') === name && hasAddress(body));
  return `/apis/networking.k8s.io/v1/ipaddresses/${stringAt(service?.body, 'spec', 'clusterIP')}`;
}

function hasAddress(body: JsonValue): boolean {
  return stringAt(body, 'spec', 'clusterIP') !== '';
}

/** IPAddresses of Services: made, kept and removed as the Service changes. */
function services(run: string): readonly Request[] {
  const ports = [{ port: 80 }];
  const service = (name: string, spec: JsonObject): JsonObject => ({ metadata: { name }, spec: { ports, ...spec } });
  const [first, second] = [`${run}a`, `${run}b`];
  return [
    { method: 'POST', path: `${core}/services`, body: service(first, {}) },
    { method: 'GET', path: (answers) => addressIn(answers, first), until: isThere },
    { method: 'PATCH', path: `${core}/services/${first}`, body: { spec: { type: 'NodePort' } } },
    { method: 'GET', path: (answers) => addressIn(answers, first), until: isThere },
    { method: 'PATCH', path: `${core}/services/${first}`, body: { spec: { type: 'LoadBalancer' } } },
    get(`${core}/services/${first}`),
    {
      method: 'PATCH',
      path: `${core}/services/${first}`,
      body: { spec: { type: 'ExternalName', externalName: 'a.b', clusterIP: null, clusterIPs: null } },
    },
    { method: 'GET', path: (answers) => addressIn(answers, first), until: isGone },
    { method: 'POST', path: `${core}/services?fieldManager=m`, body: service(second, { type: 'LoadBalancer' }) },
    { method: 'GET', path: (answers) => addressIn(answers, second), until: isThere },
    { method: 'DELETE', path: `${core}/services/${second}` },
    { method: 'GET', path: (answers) => addressIn(answers, second), until: isGone },
    { method: 'DELETE', path: `${core}/services/${first}` },
  ];
}

/** ServiceCIDRs get a finalizer and a condition, and lose them. */
function serviceRanges(run: string): readonly Request[] {
  const path = '/apis/networking.k8s.io/v1/servicecidrs';
  return [
    {
      method: 'POST',
      path: `${path}?fieldManager=m`,
      body: { metadata: { name: run }, spec: { cidrs: ['10.0.128.0/24'] } },
    },
    { ...get(`${path}/${run}`), ...tells('"Ready"') },
    { method: 'DELETE', path: `${path}/${run}` },
    { ...get(`${path}/${run}`), until: isGone },
    get(`${path}/kubernetes`),
  ];
}

/** Definitions: finalizer, conditions, names, stored versions; and the APIServices of their versions. */
function definitions(run: string): readonly Request[] {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const services = '/apis/apiregistration.k8s.io/v1/apiservices';
  const group = `${run}.example.com`;
  const version = (name: string, storage: boolean): JsonObject => ({
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  });
  const name = `things.${group}`;
  const things = `/apis/${group}/v1/namespaces/default/things`;
  return [
    {
      method: 'POST',
      path: `${path}?fieldManager=m`,
      body: {
        metadata: { name },
        spec: {
          group,
          scope: 'Namespaced',
          names: { plural: 'things', kind: 'Thing' },
          versions: [version('v1', true)],
        },
      },
    },
    { ...get(`${path}/${name}`), ...tells('InitialNamesAccepted') },
    { ...get(`${services}/v1.${group}`), ...tells('"Available"') },
    {
      method: 'PATCH',
      path: `${path}/${name}?fieldManager=n`,
      body: { spec: { names: { shortNames: ['x'] }, versions: [version('v1', false), version('v2', true)] } },
    },
    {
      ...get(`${path}/${name}`),
      ...tells('"acceptedNames":{"kind":"Thing","listKind":"ThingList","plural":"things","shortNames"'),
    },
    { ...get(`${services}/v2.${group}`), ...tells('"Available"') },
    { ...get(`/apis/${group}/v1`), until: isThere },
    {
      method: 'POST',
      path: things,
      body: { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name: 'a', finalizers: ['a.b/c'] } },
    },
    { method: 'DELETE', path: `${path}/${name}` },
    { ...get(`${path}/${name}`), ...tells('InstanceDeletionInProgress') },
    { ...get(`${things}/a`), ...tells('deletionTimestamp') },
    { method: 'PATCH', path: `${things}/a`, body: { metadata: { finalizers: null } } },
    { ...get(`${path}/${name}`), until: isGone },
    { ...get(`${services}/v1.${group}`), until: isGone },
  ];
}

/** An APIService of a user, judged by the aggregator. */
function registrations(run: string): readonly Request[] {
  const path = '/apis/apiregistration.k8s.io/v1/apiservices';
  const group = `${run}.example.com`;
  const name = `v1.${group}`;
  const spec = { group, version: 'v1', groupPriorityMinimum: 100, versionPriority: 10 };
  return [
    {
      method: 'POST',
      path: `${path}?fieldManager=m`,
      body: {
        metadata: { name },
        spec: { ...spec, service: { name: 'none', namespace: 'default' }, insecureSkipTLSVerify: true },
      },
    },
    { ...get(`${path}/${name}`), ...tells('ServiceNotFound') },
    {
      method: 'PATCH',
      path: `${path}/${name}?fieldManager=n`,
      body: { spec: { service: null, insecureSkipTLSVerify: null } },
    },
    { ...get(`${path}/${name}`), ...tells('Local') },
    { method: 'DELETE', path: `${path}/${name}` },
  ];
}

/** A quota that counts a resource, and an object of it: admission writes the usage to the status. */
function counted(run: string, resource: string, collection: string, object: JsonObject): readonly Request[] {
  const count = `count/${resource}`;
  const quota = `/api/v1/namespaces/${run}/resourcequotas/q`;
  return [
    { method: 'POST', path: '/api/v1/namespaces?fieldManager=m', body: { metadata: { name: run } } },
    {
      method: 'POST',
      path: `/api/v1/namespaces/${run}/resourcequotas?fieldManager=m`,
      body: { metadata: { name: 'q' }, spec: { hard: { [count]: '5' } } },
    },
    {
      method: 'PATCH',
      path: `${quota}/status?fieldManager=controller`,
      body: { status: { hard: { [count]: '5' }, used: { [count]: '0' } } },
    },
    { method: 'POST', path: collection, body: object, until: ({ status }) => status === 201 },
    { ...get(quota), ...tells(`"used":{"${count}":"1"}`) },
    { method: 'DELETE', path: `/api/v1/namespaces/${run}` },
    get(`/api/v1/namespaces/${run}`),
  ];
}

function quotas(run: string): readonly Request[] {
  const namespace = `/api/v1/namespaces/${run}`;
  return counted(run, 'configmaps', `${namespace}/configmaps`, { metadata: { name: 'a' } });
}

function customQuotas(run: string): readonly Request[] {
  const group = `${run}.example.com`;
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const things = `/apis/${group}/v1/namespaces/${run}/things`;
  const thing = { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name: 'a' } };
  const schema = { openAPIV3Schema: { type: 'object' } };
  return [
    {
      method: 'POST',
      path,
      body: {
        metadata: { name: `things.${group}` },
        spec: {
          group,
          scope: 'Namespaced',
          names: { plural: 'things', kind: 'Thing' },
          versions: [{ name: 'v1', served: true, storage: true, schema }],
        },
      },
    },
    { ...get(`/apis/${group}/v1`), until: isThere },
    ...counted(run, `things.${group}`, things, thing),
    { method: 'DELETE', path: `${path}/things.${group}` },
  ];
}

/** Conditions, bindings and times that subresources and deletions set on Pods. */
function pods(run: string): readonly Request[] {
  const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
  const pod = (name: string): JsonObject => ({
    metadata: { name, labels: { run } },
    spec: { containers: [{ name: 'c', image: 'i' }], automountServiceAccountToken: false },
  });
  const path = (name: string): string => `${core}/pods/${run}${name}`;
  const post = (name: string): Request => ({
    method: 'POST',
    path: `${core}/pods?fieldManager=m`,
    body: pod(`${run}${name}`),
    until: ({ status }) => status === 201,
  });
  const bind = (name: string): Request => ({
    method: 'POST',
    path: `${path(name)}/binding?fieldManager=scheduler`,
    body: { target: { kind: 'Node', name: 'n' }, metadata: { name: `${run}${name}`, annotations: { a: 'b' } } },
  });
  return [
    { method: 'POST', path: `${core}/serviceaccounts`, body: { metadata: { name: 'default' } } },
    post('a'),
    bind('a'),
    get(path('a')),
    {
      method: 'PATCH',
      path: `${path('a')}/status?fieldManager=kubelet`,
      body: { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } },
    },
    {
      method: 'POST',
      path: `${budgets}?fieldManager=m`,
      body: { metadata: { name: run }, spec: { minAvailable: 0, selector: { matchLabels: { run } } } },
    },
    {
      method: 'PATCH',
      path: `${budgets}/${run}/status?fieldManager=controller`,
      body: {
        status: { observedGeneration: 1, disruptionsAllowed: 1, currentHealthy: 1, desiredHealthy: 0, expectedPods: 1 },
      },
    },
    { method: 'POST', path: `${path('a')}/eviction?fieldManager=evictor`, body: { metadata: { name: `${run}a` } } },
    get(path('a')),
    get(`${budgets}/${run}`),
    { method: 'DELETE', path: path('a'), body: { gracePeriodSeconds: 0 } },
    post('b'),
    bind('b'),
    { method: 'DELETE', path: `${path('b')}?fieldManager=deleter`, body: { propagationPolicy: 'Foreground' } },
    get(path('b')),
    { method: 'DELETE', path: path('b'), body: { propagationPolicy: 'Background', gracePeriodSeconds: 0 } },
    get(path('b')),
    { method: 'PATCH', path: path('b'), body: { metadata: { finalizers: null } } },
    { method: 'DELETE', path: `${budgets}/${run}` },
  ];
}

/** Finalizers of garbage collection, generations, and views that write to what they belong to. */
function owners(run: string): readonly Request[] {
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  const template = { metadata: { labels: { run } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const one = `${deployments}/${run}`;
  return [
    {
      method: 'POST',
      path: `${deployments}?fieldManager=m`,
      body: { metadata: { name: run }, spec: { selector: { matchLabels: { run } }, template } },
    },
    { method: 'PATCH', path: `${one}/scale?fieldManager=scaler`, body: { spec: { replicas: 3 } } },
    get(one),
    { method: 'DELETE', path: `${one}?fieldManager=deleter`, body: { propagationPolicy: 'Orphan' } },
    get(one),
    { method: 'DELETE', path: `${one}?fieldManager=deleter`, body: { propagationPolicy: 'Foreground' } },
    get(one),
    { method: 'PATCH', path: `${one}?fieldManager=collector`, body: { metadata: { finalizers: null } } },
    { method: 'POST', path: `${core}/configmaps?fieldManager=m`, body: { metadata: { name: run }, data: { a: 'b' } } },
    {
      method: 'DELETE',
      path: `${core}/configmaps?fieldSelector=metadata.name%3D${run}`,
      body: { propagationPolicy: 'Foreground' },
    },
    get(`${core}/configmaps/${run}`),
    { method: 'PATCH', path: `${core}/configmaps/${run}`, body: { metadata: { finalizers: null } } },
  ];
}

/** Tokens, claims, nodes, signing requests, priorities: what the server adds to them. */
function others(run: string): readonly Request[] {
  const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
  const storage = '/apis/storage.k8s.io/v1/storageclasses';
  const claims = `${core}/persistentvolumeclaims`;
  const schemas = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas';
  return [
    { method: 'POST', path: `${core}/serviceaccounts?fieldManager=m`, body: { metadata: { name: run } } },
    { method: 'POST', path: `${core}/serviceaccounts/${run}/token`, body: { spec: {} } },
    get(`${core}/serviceaccounts/${run}`),
    {
      method: 'POST',
      path: `${core}/secrets?fieldManager=m`,
      body: {
        metadata: { name: run, annotations: { 'kubernetes.io/service-account.name': run } },
        type: 'kubernetes.io/service-account-token',
      },
    },
    {
      method: 'POST',
      path: `${storage}?fieldManager=m`,
      body: {
        metadata: { name: run, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
        provisioner: 'a.b/c',
      },
    },
    {
      method: 'POST',
      path: `${claims}?fieldManager=m`,
      body: {
        metadata: { name: run },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
      until: ({ body }) =>
        stringAt(body, 'spec', 'storageClassName') !== '' || objectsAt(body, 'details', 'causes').length > 0,
    },
    { method: 'DELETE', path: `${claims}/${run}` },
    get(`${claims}/${run}`),
    { method: 'DELETE', path: `${storage}/${run}` },
    { method: 'POST', path: '/api/v1/nodes?fieldManager=m', body: { metadata: { name: run } } },
    get(`/api/v1/nodes/${run}`),
    { method: 'DELETE', path: `/api/v1/nodes/${run}` },
    { method: 'POST', path: `${classes}?fieldManager=m`, body: { metadata: { name: run }, value: 7 } },
    { method: 'DELETE', path: `${classes}/${run}` },
    {
      method: 'POST',
      path: `${schemas}?fieldManager=m`,
      body: { metadata: { name: run }, spec: { priorityLevelConfiguration: { name: `no-${run}` } } },
    },
    { ...get(`${schemas}/${run}`), ...tells('"Dangling"') },
    { method: 'DELETE', path: `${schemas}/${run}` },
  ];
}

/** What servers keep for themselves, in its present state. */
function own(): readonly Request[] {
  return [
    get('/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication'),
    get(`${core}/endpoints/kubernetes`),
    get('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes'),
    get('/apis/networking.k8s.io/v1/ipaddresses/10.0.0.1'),
    get(`${core}/services/kubernetes`),
  ].map((request) => ({ ...request, ...managersOnly }));
}

/** Their addresses and keys are another's on each server. */
const managersOnly = { headers: { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' } };

export const serverWriteSeries: readonly Series[] = [
  { name: 'server writes: addresses of Services', requests: services },
  { name: 'server writes: ServiceCIDRs', requests: serviceRanges },
  { name: 'server writes: definitions', requests: definitions },
  { name: 'server writes: APIServices', requests: registrations },
  { name: 'server writes: quotas', requests: quotas },
  { name: 'server writes: quotas of custom resources', requests: customQuotas },
  { name: 'server writes: Pods', requests: pods },
  { name: 'server writes: owners', requests: owners },
  { name: 'server writes: other kinds', requests: others },
  { name: 'server writes: what servers keep', requests: own },
];
