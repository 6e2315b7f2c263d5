import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { get } from '#test/conformance/series/series.ts';
import { patch, post } from './requests.ts';
import type { RuleCase } from './rule-case.ts';

const core = '/api/v1/namespaces/default';
const pods = `${core}/pods`;
const container: JsonObject = { name: 'c', image: 'i' };

/** Each value in a new object, and in one that is there. */
function inObjects(
  collection: string,
  values: readonly JsonObject[],
  valid: JsonObject,
  more: JsonObject = {},
): RuleCase['requests'] {
  return (run) =>
    values.flatMap((value, index) => {
      const [name, changed] = [`${run}-${index}`, `${run}-${index}-changed`];
      return [
        post(collection, { ...merged(valid, value), metadata: { name, ...more } }),
        post(collection, { ...valid, metadata: { name: changed, ...more } }),
        patch(`${collection}/${changed}`, value),
        patch(`${collection}/${changed}/status`, value),
        get(`${collection}/${changed}`),
        { method: 'DELETE', path: `${collection}/${name}` },
        { method: 'DELETE', path: `${collection}/${changed}` },
      ];
    });
}

function merged(valid: JsonObject, value: JsonObject): JsonObject {
  return {
    ...valid,
    ...Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        { ...(valid[key] as JsonObject | undefined), ...(inner as JsonObject) },
      ]),
    ),
  };
}

const pod: JsonObject = { spec: { containers: [container] } };
const inContainer = (more: JsonObject): JsonObject => ({ spec: { containers: [{ ...container, ...more }] } });

const ofPods: readonly RuleCase[] = [
  {
    name: 'pods with legacy fields',
    covers: [
      'core/v1 LifecycleHandler.tcpSocket',
      'core/v1 PodSpec.nodeName',
      'core/v1 PodSpec.runtimeClassName',
      'core/v1 PodSpec.serviceAccount',
      'core/v1 PodStatus.resize',
    ],
    requests: inObjects(
      pods,
      [
        inContainer({ lifecycle: { postStart: { tcpSocket: { port: 80 } } } }),
        inContainer({ lifecycle: { preStop: { tcpSocket: { port: 0 } } } }),
        inContainer({ lifecycle: { preStop: { tcpSocket: { port: 'x y', host: '' }, exec: { command: ['a'] } } } }),
        { spec: { nodeName: 'a_b' } },
        { spec: { nodeName: 'n' } },
        { spec: { runtimeClassName: 'none' } },
        { spec: { runtimeClassName: 'A' } },
        { spec: { runtimeClassName: '' } },
        { spec: { serviceAccount: 'default' } },
        { spec: { serviceAccount: 'other' } },
        { spec: { serviceAccount: 'other', serviceAccountName: 'default' } },
        { spec: { serviceAccountName: 'default', serviceAccount: '' } },
        { status: { resize: 'Proposed' } },
        { status: { resize: 'x' } },
      ],
      pod,
    ),
  },
  {
    name: 'templates with an account',
    requests: (run) =>
      [{ serviceAccount: 'a' }, { serviceAccount: 'a', serviceAccountName: 'b' }, { serviceAccountName: 'b' }].map(
        (account, index) =>
          post(`${core}/podtemplates`, {
            metadata: { name: `${run}-${index}` },
            template: { spec: { containers: [container], ...account } },
          }),
      ),
  },
];

const ofOthers: readonly RuleCase[] = [
  {
    name: 'nodes with legacy fields',
    covers: ['core/v1 NodeSpec.configSource', 'core/v1 NodeSpec.externalID', 'core/v1 NodeStatus.phase'],
    requests: inObjects(
      '/api/v1/nodes',
      [
        { spec: { externalID: 'x' } },
        { spec: { configSource: { configMap: { name: 'a', namespace: 'b', kubeletConfigKey: 'k' } } } },
        { spec: { configSource: {} } },
        { spec: { podCIDR: '10.0.0.0/24' } },
        { spec: { podCIDR: '10.0.0.0/24', podCIDRs: ['10.1.0.0/24'] } },
        { spec: { podCIDRs: ['x'] } },
        { status: { phase: 'Running' } },
        { status: { phase: 'x', config: { error: 'e' } } },
      ],
      {},
    ),
  },
  {
    name: 'volumes and how they are reclaimed',
    covers: ['core/v1 PersistentVolumeSpec.persistentVolumeReclaimPolicy'],
    requests: inObjects(
      '/api/v1/persistentvolumes',
      ['Recycle', 'Retain', 'Delete', 'x', ''].flatMap((persistentVolumeReclaimPolicy) =>
        ['/', '/a', '//'].map((path) => ({ spec: { persistentVolumeReclaimPolicy, hostPath: { path } } })),
      ),
      { spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/' } } },
    ),
  },
  {
    name: 'services with an address of a load balancer',
    covers: ['core/v1 ServiceSpec.loadBalancerIP'],
    requests: inObjects(
      `${core}/services`,
      ['1.2.3.4', 'x', '01.2.3.4', ''].flatMap((loadBalancerIP) =>
        ['LoadBalancer', 'ClusterIP'].map((type) => ({ spec: { type, loadBalancerIP } })),
      ),
      { spec: { ports: [{ port: 80 }] } },
    ),
  },
  {
    name: 'service accounts with secrets',
    covers: ['core/v1 ServiceAccount.secrets'],
    requests: (run) =>
      [[{ name: 's' }], [{}], [{ name: 'A b' }], [{ name: 's' }, { name: 's' }]].flatMap((secrets, index) => [
        post(`${core}/serviceaccounts`, { metadata: { name: `${run}-${index}` }, secrets }),
        patch(`${core}/serviceaccounts/${run}-${index}`, { secrets: [{ name: 't', namespace: 'n' }] }),
        patch(`${core}/serviceaccounts/${run}-${index}`, { imagePullSecrets: secrets }),
      ]),
  },
  {
    name: 'ingresses with a class by name',
    covers: ['networking/v1 IngressSpec.ingressClassName'],
    requests: inObjects(
      '/apis/networking.k8s.io/v1/namespaces/default/ingresses',
      ['a', 'A', '', 'a.b', 'a/b'].map((ingressClassName) => ({ spec: { ingressClassName } })),
      { spec: { defaultBackend: { service: { name: 's', port: { number: 1 } } } } },
    ),
  },
];

const regarding = { kind: 'Pod', namespace: 'default', name: 'p' };
const event = (more: JsonObject): JsonObject => ({
  regarding,
  eventTime: '2020-01-01T00:00:00.000000Z',
  reportingController: 'example.com/c',
  reportingInstance: 'i',
  action: 'a',
  reason: 'r',
  type: 'Normal',
  ...more,
});
const legacyEventFields: readonly JsonObject[] = [
  {},
  { deprecatedCount: 5 },
  { deprecatedCount: -1 },
  { deprecatedFirstTimestamp: '2020-01-01T00:00:00Z' },
  { deprecatedLastTimestamp: '2020-01-01T00:00:00Z' },
  { deprecatedSource: { component: 'c', host: 'h' } },
  { deprecatedSource: { component: 'c' }, eventTime: null },
  { eventTime: null },
  { eventTime: null, deprecatedCount: 5, reportingController: '' },
];

/** Events of both groups are one kind, with legacy fields in the newer one, which must be empty there. */
const ofEvents: RuleCase = {
  name: 'events with legacy fields',
  covers: ['Count', 'FirstTimestamp', 'LastTimestamp', 'Source'].map((name) => `events/v1 Event.deprecated${name}`),
  requests: (run) => {
    const events = '/apis/events.k8s.io/v1/namespaces/default/events';
    return legacyEventFields.flatMap((fields, index) => {
      const name = `${run}-${index}`;
      const { deprecatedCount: count, deprecatedSource: source } = fields;
      return [
        post(events, { metadata: { name }, ...event(fields) }),
        post(events, { metadata: { name: `${name}-changed` }, ...event({}) }),
        patch(`${events}/${name}-changed`, fields),
        patch(`${core}/events/${name}-changed`, { count: count ?? 3, source: source ?? null }),
        post(`${core}/events`, {
          metadata: { name: `${name}-core` },
          involvedObject: regarding,
          count: count ?? null,
          source: source ?? null,
          reason: 'r',
        }),
        patch(`${events}/${name}-core`, fields),
        get(`${events}/${name}-core`),
        get(`${core}/events/${name}-changed`),
      ];
    });
  },
};

export const legacyFieldCases: readonly RuleCase[] = [...ofPods, ...ofOthers, ofEvents];
