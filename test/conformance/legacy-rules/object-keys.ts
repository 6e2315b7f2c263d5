import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { get } from '#test/conformance/series/series.ts';
import { annotate, label, patch, post } from './requests.ts';
import type { RuleCase } from './rule-case.ts';

const core = '/api/v1/namespaces/default';
const podSpec: JsonObject = { containers: [{ name: 'c', image: 'i' }] };
const encoded = (text: string): string => Buffer.from(text).toString('base64');

const secretData: Readonly<Record<string, readonly JsonObject[]>> = {
  'kubernetes.io/basic-auth': [{ username: encoded('u') }, { password: encoded('p') }, { other: encoded('x') }, {}],
  'kubernetes.io/ssh-auth': [{ 'ssh-privatekey': encoded('k') }, { 'ssh-privatekey': '' }, {}],
  'kubernetes.io/dockercfg': [{ '.dockercfg': encoded('{}') }, { '.dockercfg': encoded('{') }, {}],
  'kubernetes.io/dockerconfigjson': [
    { '.dockerconfigjson': encoded('{}') },
    { '.dockerconfigjson': encoded('junk') },
    {},
  ],
  'kubernetes.io/tls': [
    { 'tls.crt': '', 'tls.key': '' },
    { 'tls.crt': '' },
    { 'tls.crt': encoded('x'), 'tls.key': encoded('y') },
    {},
  ],
  'kubernetes.io/service-account-token': [{}],
};

/** Keys of other objects, types of Secrets and names of signers. */
export const objectKeyCases: readonly RuleCase[] = [
  {
    name: 'secrets of special types',
    covers: [...Object.keys(secretData), 'kubernetes.io/service-account.name'],
    requests: (run) => [
      ...Object.entries(secretData).flatMap(([type, all], at) =>
        all.flatMap((data, index) => {
          const name = `${run}-${at}-${index}`;
          return [
            post(`${core}/secrets`, { metadata: { name }, type, data }),
            patch(`${core}/secrets/${name}`, { data: { more: encoded('x') } }),
            patch(`${core}/secrets/${name}`, { type: 'Opaque' }),
          ];
        }),
      ),
      ...['default', '', 'missing'].flatMap((account, index) => {
        const name = `${run}-account-${index}`;
        return [
          post(`${core}/secrets`, {
            metadata: { name, annotations: { 'kubernetes.io/service-account.name': account } },
            type: 'kubernetes.io/service-account-token',
          }),
          annotate(`${core}/secrets/${name}`, { 'kubernetes.io/service-account.name': 'other' }),
          annotate(`${core}/secrets/${name}`, { 'kubernetes.io/service-account.name': null }),
        ];
      }),
    ],
  },
  {
    name: 'service accounts with mountable secrets',
    covers: ['kubernetes.io/enforce-mountable-secrets'],
    requests: (run) =>
      ['true', 'false', 'x'].flatMap((value, index) => {
        const annotations = { 'kubernetes.io/enforce-mountable-secrets': value };
        const name = `${run}-${index}`;
        const mounts = { volumes: [{ name: 'v', secret: { secretName: 's' } }], serviceAccountName: name };
        return [
          post(`${core}/serviceaccounts`, { metadata: { name, annotations } }),
          post(`${core}/pods`, { metadata: { name }, spec: { ...podSpec, ...mounts } }),
          annotate(`${core}/serviceaccounts/${name}`, { 'kubernetes.io/enforce-mountable-secrets': 'true' }),
          label(`${core}/serviceaccounts/${name}`, { a: 'b' }),
          post(`${core}/serviceaccounts`, { metadata: { name: `${name}-changed` } }),
          annotate(`${core}/serviceaccounts/${name}-changed`, annotations),
        ];
      }),
  },
  {
    name: 'namespaces and their labels',
    covers: [
      'kubernetes.io/metadata.name',
      'resource.kubernetes.io/admin-access',
      ...['audit', 'enforce', 'warn'].flatMap((mode) => [
        `pod-security.kubernetes.io/${mode}`,
        `pod-security.kubernetes.io/${mode}-version`,
      ]),
    ],
    requests: (run) =>
      [
        { 'kubernetes.io/metadata.name': 'other' },
        { 'resource.kubernetes.io/admin-access': 'true' },
        { 'resource.kubernetes.io/admin-access': 'false' },
        { 'resource.kubernetes.io/admin-access': 'x' },
        ...['audit', 'enforce', 'warn'].flatMap((mode) => [
          { [`pod-security.kubernetes.io/${mode}`]: 'baseline' },
          { [`pod-security.kubernetes.io/${mode}`]: 'x' },
          { [`pod-security.kubernetes.io/${mode}-version`]: 'v1.20' },
          { [`pod-security.kubernetes.io/${mode}-version`]: 'v1.x' },
        ]),
      ].flatMap((labels: JsonObject, index) => {
        const name = `${run}-${index}`;
        return [
          post('/api/v1/namespaces', { metadata: { name, labels } }),
          post('/api/v1/namespaces', { metadata: { name: `${name}-changed` } }),
          label(`/api/v1/namespaces/${name}-changed`, labels),
          label(`/api/v1/namespaces/${name}-changed`, { 'kubernetes.io/metadata.name': null }),
          get(`/api/v1/namespaces/${name}-changed`),
        ];
      }),
  },
  {
    name: 'priority levels without shares',
    covers: ['flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares', 'apf.kubernetes.io/autoupdate-spec'],
    requests: (run) =>
      ['flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares', 'apf.kubernetes.io/autoupdate-spec'].flatMap(
        (key, index) => {
          const levels = '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations';
          const limited = { limitResponse: { type: 'Reject' }, nominalConcurrencyShares: 0 };
          const name = `${run}-${index}`;
          const spec = { type: 'Limited', limited };
          return [
            post(levels, { metadata: { name, annotations: { [key]: '' } }, spec }),
            post(levels, { metadata: { name: `${name}-changed` }, spec }),
            annotate(`${levels}/${name}-changed`, { [key]: 'x' }),
            annotate(`${levels}/${name}-changed/status`, { [key]: 'y' }),
            { method: 'DELETE', path: `${levels}/${name}` },
            { method: 'DELETE', path: `${levels}/${name}-changed` },
          ];
        },
      ),
  },
  {
    name: 'endpoints and who manages them',
    covers: [
      'endpoints.kubernetes.io/managed-by',
      'endpointslice.kubernetes.io/managed-by',
      'kubernetes.io/hostname',
      'topology.kubernetes.io/zone',
      'discovery/v1 Endpoint.deprecatedTopology',
      'discovery/v1 EndpointSlice.addressType',
    ],
    requests: (run) => {
      const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
      const topologies: readonly JsonObject[] = [
        { 'kubernetes.io/hostname': 'n' },
        { 'topology.kubernetes.io/zone': 'z' },
        { a: 'b' },
        { 'a b': 'c' },
        Object.fromEntries(Array.from({ length: 20 }, (_none, index) => [`k${index}`, 'v'])),
      ];
      const slice = (name: string, endpoint: JsonObject, addressType = 'IPv4'): JsonValue => ({
        metadata: { name, labels: { 'endpointslice.kubernetes.io/managed-by': 'x' } },
        addressType,
        endpoints: [{ addresses: ['1.2.3.4'], ...endpoint }],
      });
      return [
        ...['', 'endpoint-controller', 'x'].flatMap((by, index) => {
          const labels = by === '' ? {} : { 'endpoints.kubernetes.io/managed-by': by };
          const subsets = [{ addresses: [{ ip: '1.2.3.4' }], ports: [{ port: 1 }] }];
          return [
            post(`${core}/endpoints`, { metadata: { name: `${run}-${index}`, labels }, subsets }),
            label(`${core}/endpoints/${run}-${index}`, { 'endpoints.kubernetes.io/managed-by': 'y' }),
          ];
        }),
        ...topologies.flatMap((deprecatedTopology, index) => [
          post(slices, slice(`${run}-${index}`, { deprecatedTopology })),
          post(slices, slice(`${run}-${index}-changed`, {})),
          patch(`${slices}/${run}-${index}-changed`, { endpoints: [{ addresses: ['1.2.3.4'], deprecatedTopology }] }),
          label(`${slices}/${run}-${index}-changed`, { 'endpointslice.kubernetes.io/managed-by': null }),
        ]),
        ...['FQDN', 'IPv6', 'IPv5', ''].map((type, index) => post(slices, slice(`${run}-type-${index}`, {}, type))),
        post(slices, slice(`${run}-fqdn`, { addresses: ['example.com'] }, 'FQDN')),
        patch(`${slices}/${run}-fqdn`, { addressType: 'IPv4' }),
      ];
    },
  },
  {
    name: 'tolerations that are added',
    covers: ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'],
    requests: (run) =>
      [
        [],
        [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists' }],
        [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoSchedule' }],
        [{ key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }],
        [{ operator: 'Exists' }],
      ].map((tolerations, index) =>
        post(`${core}/pods`, { metadata: { name: `${run}-${index}` }, spec: { ...podSpec, tolerations } }),
      ),
  },
  {
    name: 'signing requests with reserved signers',
    covers: [
      'kubernetes.io/legacy-unknown',
      'kubernetes.io/kube-apiserver-client',
      'kubernetes.io/kube-apiserver-client-kubelet',
      'kubernetes.io/kubelet-serving',
      'kubernetes.io/',
    ],
    requests: (run) =>
      [
        'kubernetes.io/legacy-unknown',
        'kubernetes.io/kube-apiserver-client',
        'kubernetes.io/kube-apiserver-client-kubelet',
        'kubernetes.io/kubelet-serving',
        'kubernetes.io/other',
        'kubernetes.io/',
        'example.com/a/b',
      ].map((signerName, index) =>
        post('/apis/certificates.k8s.io/v1/certificatesigningrequests', {
          metadata: { name: `${run}-${index}` },
          spec: { signerName, usages: ['client auth'], request: encoded('x') },
        }),
      ),
  },
];
