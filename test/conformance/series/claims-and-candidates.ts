import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Request, Series } from './series.ts';

const claims = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims';
const candidates = '/apis/coordination.k8s.io/v1beta1/namespaces/default/leasecandidates';

function claim(name: string): JsonObject {
  const requests = [
    { name: 'one', exactly: { deviceClassName: 'a' } },
    { name: 'any', firstAvailable: [{ name: 'sub', deviceClassName: 'a' }] },
  ];
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { name, namespace: 'default' },
    spec: { devices: { requests } },
  };
}

const result: JsonObject = { request: 'one', driver: 'driver.example.com', pool: 'pool/a', device: 'gpu-0' };
const other: JsonObject = { ...result, device: 'gpu-1', request: 'any/sub' };
const allocation = (...results: JsonValue[]): JsonObject => ({ devices: { results } });
const device = (more: JsonObject): JsonObject => ({
  driver: 'driver.example.com',
  pool: 'pool/a',
  device: 'gpu-0',
  ...more,
});
const consumer = (uid: string): JsonObject => ({ resource: 'pods', name: `pod-${uid}`, uid });
const condition = (more: JsonObject): JsonObject => ({
  type: 'Ready',
  status: 'True',
  lastTransitionTime: '2020-01-01T00:00:00Z',
  reason: 'Fine',
  message: '',
  ...more,
});
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const long = (bytes: number): string => 'x'.repeat(bytes);

/** Allocations of a claim that has none, most of them wrong. */
const allocations: readonly JsonObject[] = [
  allocation(result, other),
  allocation({}),
  allocation({ ...result, request: 'none' }),
  allocation({ ...result, request: 'any' }),
  allocation({ ...result, request: 'a/b/c' }),
  allocation({ ...result, request: 'Any/Sub' }),
  allocation({ ...result, driver: 'Not_a_driver' }, { ...result, driver: long(70) }),
  allocation({ ...result, pool: '/a//B/' }, { ...result, pool: long(300) }, { ...result, device: 'A.b' }),
  allocation(...many(33, () => result)),
  allocation(
    { ...result, shareID: 'x' },
    { ...result, shareID: '6F3A5B3C-1111-2222-3333-444455556666' },
    { ...result, shareID: '' },
    { ...result, shareID: '6f3a5b3c1111222233334444555566667777' },
    { ...result, shareID: '{6f3a5b3c-1111-2222-3333-444455556666}' },
    { ...result, shareID: 'urn:uuxd:6f3a5b3c-1111-2222-3333-444455556666' },
  ),
  allocation(
    { ...result, bindingConditions: ['a', 'a', 'a b'], bindingFailureConditions: ['a'] },
    { ...result, bindingConditions: ['a'] },
    { ...result, bindingFailureConditions: many(5, (index) => `c${index}`) },
  ),
  {
    devices: {
      results: [result],
      config: [
        { source: 'FromClaim', requests: ['one', 'one', 'none'], opaque: { driver: 'd', parameters: { a: 1 } } },
        { source: 'Odd' },
        { source: '', opaque: { driver: '', parameters: [] } },
        { source: 'FromClass', opaque: { driver: 'd', parameters: { a: long(11_000) } } },
      ],
    },
  },
  {
    devices: {
      results: [result],
      config: many(65, () => ({ source: 'FromClaim', opaque: { driver: 'd', parameters: {} } })),
    },
  },
  { devices: { results: [result] }, nodeSelector: { nodeSelectorTerms: [] } },
  {
    devices: { results: [result] },
    nodeSelector: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a b', operator: 'Odd' }] }] },
  },
];

/** Devices of a claim that has gpu-0 and gpu-1. */
const devices: readonly JsonObject[][] = [
  [device({})],
  [device({ device: 'gpu-7' })],
  [device({}), device({})],
  [device({ driver: '', pool: '', device: '' })],
  [device({ data: [1] })],
  [device({ data: { a: long(11_000) } })],
  [
    device({
      conditions: [
        condition({}),
        condition({}),
        condition({ type: 'a b', status: 'Maybe', observedGeneration: -1, lastTransitionTime: null, reason: '' }),
        condition({ type: 'Other', reason: '1a', message: long(33_000) }),
        condition({ type: 'Third', reason: long(1025) }),
      ],
    }),
  ],
  [device({ conditions: many(9, (index) => condition({ type: `t${index}` })) })],
  [
    device({
      networkData: {
        interfaceName: long(257),
        hardwareAddress: long(129),
        ips: [
          '10.9.8.7/24',
          '10.9.8.7/24',
          '10.9.8.7',
          '2001:DB8::1/64',
          '::ffff:10.9.8.7/120',
          '010.9.8.7/24',
          '10.9.8.7/024',
          '10.9.8.7/33',
        ],
      },
    }),
  ],
  [device({ networkData: { ips: many(17, (index) => `10.0.0.${index}/24`) } })],
  [device({ shareID: '6f3a5b3c-1111-2222-3333-444455556666' })],
];

const reservations: readonly JsonObject[][] = [
  [consumer('a'), consumer('b')],
  [consumer('a'), consumer('a')],
  [{}],
  [{ resource: 'pods', name: 'x', uid: '' }],
  many(257, (index) => consumer(`u${index}`)),
  many(256, (index) => consumer(`u${index}`)),
];

const status = (name: string, value: JsonObject): Request => ({
  method: 'PATCH',
  path: `${claims}/${name}/status`,
  body: { status: value },
});

const claimSeries: readonly Series[] = [
  {
    name: 'status of claims: allocations',
    requests: (run) =>
      allocations.flatMap((value, index): Request[] => [
        { method: 'POST', path: claims, body: claim(`${run}-${index}`) },
        status(`${run}-${index}`, { allocation: value }),
      ]),
  },
  {
    name: 'status of claims: devices',
    requests: (run) => [
      { method: 'POST', path: claims, body: claim(run) },
      status(run, { allocation: allocation(result, other) }),
      ...devices.map((value) => status(run, { devices: value })),
    ],
  },
  {
    name: 'status of claims: who uses them',
    requests: (run) => [
      { method: 'POST', path: claims, body: claim(run) },
      status(run, { reservedFor: [consumer('a')] }),
      status(run, { allocation: allocation(result) }),
      ...reservations.map((value) => status(run, { reservedFor: value })),
      { method: 'PATCH', path: `${claims}/${run}`, body: { metadata: { finalizers: ['example.com/kept'] } } },
      { method: 'DELETE', path: `${claims}/${run}` },
      status(run, { reservedFor: [consumer('u1')] }),
      status(run, { reservedFor: [consumer('u1'), consumer('new')] }),
      status(run, { reservedFor: null, allocation: null }),
      { method: 'PATCH', path: `${claims}/${run}`, body: { metadata: { finalizers: null } } },
    ],
  },
  {
    name: 'status of claims: what is allocated stays until it is taken away, with the status of its devices',
    requests: (run) => [
      { method: 'POST', path: claims, body: { ...claim(run), status: { allocation: allocation(result) } } },
      status(run, { allocation: allocation(result, other), devices: [device({}), device({ device: 'gpu-1' })] }),
      status(run, { allocation: allocation(result) }),
      status(run, { allocation: null }),
      status(run, { allocation: allocation(other), devices: [device({ device: 'gpu-1' })] }),
      status(run, { allocation: allocation({ ...other, adminAccess: true }) }),
      status(run, { allocation: null }),
      status(run, { allocation: allocation({ ...other, adminAccess: true }) }),
      { method: 'GET', path: `${claims}/${run}` },
    ],
  },
];

const adminClaim = (name: string): JsonObject => ({
  ...claim(name),
  spec: {
    devices: {
      requests: [
        { name: 'zero', exactly: { deviceClassName: 'a' } },
        { name: 'one', exactly: { deviceClassName: 'a', adminAccess: true } },
      ],
    },
  },
});

/** A template does not have a status. */
const adminSeries: readonly Series[] = [
  {
    name: 'claims for devices that others use',
    requests(run) {
      const [plain, allowed] = [
        `/apis/resource.k8s.io/v1/namespaces/default`,
        `/apis/resource.k8s.io/v1/namespaces/${run}`,
      ];
      const template = {
        apiVersion: 'resource.k8s.io/v1',
        kind: 'ResourceClaimTemplate',
        metadata: { name: run },
        spec: { spec: adminClaim(run)['spec'] ?? null },
      };
      const claimThere = { ...adminClaim(run), metadata: { name: run } };
      return [
        {
          method: 'POST',
          path: '/api/v1/namespaces',
          body: { metadata: { name: run, labels: { 'resource.kubernetes.io/admin-access': 'true' } } },
        },
        { method: 'POST', path: `${plain}/resourceclaims`, body: claimThere },
        { method: 'POST', path: `${plain}/resourceclaimtemplates`, body: template },
        { method: 'POST', path: `${allowed}/resourceclaims`, body: claimThere },
        { method: 'POST', path: `${allowed}/resourceclaimtemplates`, body: template },
        {
          method: 'PATCH',
          path: `${allowed}/resourceclaims/${run}/status`,
          body: { status: { allocation: allocation({ ...result, adminAccess: true }) } },
        },
      ];
    },
  },
];

/** Specs of candidates for the work of a leader. */
const specs: readonly JsonObject[] = [
  { leaseName: 'a', binaryVersion: '1.36.3', emulationVersion: '1.36.0', strategy: 'OldestEmulationVersion' },
  {},
  { leaseName: '', binaryVersion: '', strategy: '' },
  { leaseName: 'a', binaryVersion: '1.36', emulationVersion: 'v1.36.0', strategy: 'OldestEmulationVersion' },
  { leaseName: 'a', binaryVersion: '1.35.0', emulationVersion: '1.36.0', strategy: 'OldestEmulationVersion' },
  { leaseName: 'a', binaryVersion: '1.36.0-alpha.1', emulationVersion: '1.36.0-alpha.2', strategy: 'example.com/odd' },
  { leaseName: 'a', binaryVersion: '1.36.0', strategy: 'OldestEmulationVersion' },
  { leaseName: 'a', binaryVersion: '1.36.0', strategy: 'Odd' },
  { leaseName: 'a', binaryVersion: '1.36.0', strategy: 'a b/c/d' },
  { leaseName: 'a', binaryVersion: '1.36.0', emulationVersion: '0.0.0', strategy: 'OldestEmulationVersion' },
];

const candidate = (name: string, spec: JsonObject): JsonObject => ({
  apiVersion: 'coordination.k8s.io/v1beta1',
  kind: 'LeaseCandidate',
  metadata: { name, namespace: 'default' },
  spec,
});
const table = 'application/json;as=Table;g=meta.k8s.io;v=v1';

const candidateSeries: readonly Series[] = [
  {
    name: 'lease candidates',
    requests: (run) => [
      ...specs.map((spec, index): Request => ({
        method: 'POST',
        path: candidates,
        body: candidate(`${run}_${index}`, spec),
      })),
      { method: 'POST', path: candidates, body: candidate('..', specs[0] ?? {}) },
      { method: 'GET', path: `${candidates}/${run}_0`, headers: { accept: table } },
      { method: 'PATCH', path: `${candidates}/${run}_0`, body: { spec: { leaseName: 'b' } } },
      {
        method: 'PATCH',
        path: `${candidates}/${run}_0`,
        body: { spec: { binaryVersion: '2.0.0', emulationVersion: '3.0.0' } },
      },
      { method: 'PUT', path: `${candidates}/${run}_new`, body: candidate(`${run}_new`, specs[0] ?? {}) },
      { method: 'PUT', path: `${candidates}/${run}_new`, body: candidate(`${run}_new`, specs[0] ?? {}) },
      { method: 'GET', path: `${candidates}?fieldSelector=spec.leaseName%3Da` },
      { method: 'DELETE', path: `${candidates}/${run}_0` },
      { method: 'DELETE', path: `${candidates}/${run}_new` },
    ],
  },
];

export const claimAndCandidateSeries: readonly Series[] = [...claimSeries, ...adminSeries, ...candidateSeries];
