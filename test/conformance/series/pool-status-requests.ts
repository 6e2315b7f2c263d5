import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Exchange } from '#test/compare/exchange.ts';
import { apply, type Request, type Series } from './series.ts';

// Requests for the status of pools of devices: for servers with every feature.

const requests = '/apis/resource.k8s.io/v1alpha3/resourcepoolstatusrequests';
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const long = (bytes: number): string => 'x'.repeat(bytes);
const request = (name: string, spec: JsonValue, more: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'resource.k8s.io/v1alpha3',
  kind: 'ResourcePoolStatusRequest',
  metadata: { name, ...metadata },
  spec,
  ...more,
});
const condition = (more: JsonObject): JsonObject => ({
  type: 'Complete',
  status: 'True',
  lastTransitionTime: '2020-01-01T00:00:00Z',
  reason: 'Fine',
  message: '',
  ...more,
});
const pool = (more: JsonObject): JsonObject => ({ driver: 'd.example.com', poolName: 'p', generation: 1, ...more });
const answered: JsonObject = {
  poolCount: 2,
  conditions: [condition({ observedGeneration: 3 })],
  pools: [
    pool({
      resourceSliceCount: 1,
      totalDevices: 4,
      allocatedDevices: 1,
      availableDevices: 2,
      unavailableDevices: 1,
      nodeName: 'n',
    }),
    pool({ poolName: 'q/r', validationError: 'odd' }),
  ],
};
const driver = 'd.example.com';
const table = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };

const drivers = ['', 'a', 'A.Example.COM', 'a_b', '-a', long(64), `${`${long(63)}.`.repeat(4)}x`, 'K.ſ'];
const poolNames = ['', 'a', 'a/b', '/a//B/', 'A', long(253), long(254), `${long(200)}/${long(200)}`];

const specs: readonly JsonValue[] = [
  null,
  {},
  { driver },
  ...drivers.map((name) => ({ driver: name })),
  ...[...poolNames, null].map((poolName) => ({ driver, poolName })),
  ...[0, 1, -1, 100, 1000, 1001, null, 2 ** 31 - 1].map((limit) => ({ driver, limit })),
  { poolName: 'A', limit: 0 },
];

const statuses: readonly JsonValue[] = [
  {},
  { poolCount: null },
  { poolCount: -1 },
  { poolCount: 1, pools: many(3, () => ({})) },
  { poolCount: 1, pools: many(1001, () => ({})), conditions: many(11, (index) => condition({ type: `t${index}` })) },
  {
    poolCount: 0,
    conditions: [
      condition({}),
      condition({}),
      condition({
        type: 'a b',
        status: 'Maybe',
        observedGeneration: -1,
        lastTransitionTime: null,
        reason: '',
        message: '<&>',
      }),
    ],
  },
  ...drivers.map((name) => ({ poolCount: 1, pools: [pool({ driver: name })] })),
  ...poolNames.map((poolName) => ({ poolCount: 1, pools: [pool({ poolName })] })),
  ...[
    'generation',
    'resourceSliceCount',
    'totalDevices',
    'allocatedDevices',
    'availableDevices',
    'unavailableDevices',
  ].flatMap((name) => [-1, 0, 1, null].map((count) => ({ poolCount: 1, pools: [pool({ [name]: count })] }))),
  ...['', 'A', 'a.b', long(254)].map((nodeName) => ({ poolCount: 1, pools: [pool({ nodeName })] })),
  ...['', long(256), long(257)].map((validationError) => ({ poolCount: 1, pools: [pool({ validationError })] })),
  { poolCount: 2, pools: [pool({}), pool({})] },
  { poolCount: 3, pools: [] },
  { poolCount: 0 },
  { conditions: [condition({ type: 'Failed' })], poolCount: 0 },
  { conditions: [condition({ status: 'False' })], poolCount: 4 },
  answered,
];

const later: readonly JsonValue[] = [
  answered,
  null,
  {},
  { ...answered, poolCount: 3 },
  { ...answered, pools: [] },
  { ...answered, pools: [pool({ poolName: 'A' })] },
  { ...answered, conditions: [condition({ reason: 'Other' }), condition({ reason: '' })] },
  { poolCount: -1 },
  { ...answered, conditions: null },
];

export const poolStatusSeries: readonly Series[] = [
  {
    name: 'status of pools: asked for',
    requests: (run) =>
      specs.flatMap((spec, index): Request[] => [
        { method: 'POST', path: requests, body: request(`${run}-${index}`, spec, { status: answered }) },
      ]),
  },
  {
    name: 'status of pools: metadata, and who prints them',
    requests: (run) => [
      ...[`${run}_`, `${run}.b`, ''].map((name): Request => ({
        method: 'POST',
        path: requests,
        body: request(name, { driver }),
      })),
      {
        method: 'POST',
        path: requests,
        body: request(`${run}-c`, { driver, odd: 1 }, {}, { namespace: 'default', finalizers: ['x'] }),
      },
      { method: 'GET', path: `${requests}/${run}.b`, headers: table },
      { method: 'GET', path: `${requests}/${run}.b/status` },
      { method: 'PUT', path: `${requests}/${run}-new`, body: request(`${run}-new`, { driver }) },
      { method: 'PATCH', path: `${requests}/${run}.b/status`, body: { status: answered } },
      { method: 'GET', path: `${requests}/${run}.b`, headers: table },
      { method: 'DELETE', path: `${requests}/${run}.b` },
      { method: 'GET', path: `${requests}/${run}.b` },
    ],
  },
  {
    name: 'status of pools: changed',
    requests: (run) => [
      { method: 'POST', path: requests, body: request(run, { driver, poolName: 'a' }) },
      { method: 'PUT', path: `${requests}/${run}`, body: request(run, { driver, poolName: 'a' }) },
      ...[
        { driver, poolName: 'a' },
        { driver, poolName: 'b' },
        { driver },
        { driver, poolName: 'a', limit: 100 },
        { driver, poolName: 'a', limit: 5 },
        { driver: '', poolName: 'A', limit: 0 },
        {},
      ].flatMap((spec): Request[] => [
        {
          method: 'PUT',
          path: `${requests}/${run}`,
          body: (answers) =>
            request(run, spec, { status: answered }, { resourceVersion: newestRevision(answers), labels: { a: 'b' } }),
        },
        { method: 'PATCH', path: `${requests}/${run}`, body: { spec: { poolName: null, limit: null, ...spec } } },
      ]),
      { method: 'PATCH', path: `${requests}/${run}`, body: { metadata: { labels: { a: 'b c' } } } },
      { method: 'PATCH', path: `${requests}/${run}`, body: { metadata: { labels: { a: 'c' } }, status: answered } },
      { method: 'GET', path: `${requests}/${run}` },
    ],
  },
  {
    name: 'status of pools: told',
    requests: (run) =>
      statuses.flatMap((status, index): Request[] => [
        { method: 'POST', path: requests, body: request(`${run}-${index}`, { driver }) },
        {
          method: 'PATCH',
          path: `${requests}/${run}-${index}/status`,
          body: { metadata: { labels: { a: 'b' } }, spec: { limit: 7 }, status },
        },
        { method: 'GET', path: `${requests}/${run}-${index}`, headers: table },
      ]),
  },
  {
    name: 'status of pools: told again',
    requests: (run) =>
      later.flatMap((status, index): Request[] => [
        { method: 'POST', path: requests, body: request(`${run}-${index}`, { driver }) },
        { method: 'PATCH', path: `${requests}/${run}-${index}/status`, body: { status: answered } },
        { method: 'PATCH', path: `${requests}/${run}-${index}/status`, body: { status } },
        {
          method: 'PUT',
          path: `${requests}/${run}-${index}/status`,
          body: (answers) => request(`${run}-${index}`, {}, { status }, { resourceVersion: newestRevision(answers) }),
        },
        { method: 'PUT', path: `${requests}/${run}-${index}/status`, body: request(`${run}-${index}`, {}, { status }) },
      ]),
  },
  {
    name: 'status of pools: applied by two',
    requests: (run) => {
      const at = `${requests}/${run}`;
      return [
        apply(at, 'one', request(run, { driver }, { status: answered })),
        apply(at, 'two', request(run, { driver, limit: 100 })),
        apply(at, 'two', request(run, { driver, limit: 7 })),
        apply(at, 'two', request(run, { driver, limit: 7 }), '&force=true'),
        apply(at, 'one', request(run, { driver })),
        apply(`${at}/status`, 'two', request(run, { driver }, { status: answered })),
        apply(
          `${at}/status`,
          'one',
          request(run, {}, { status: { poolCount: 2, conditions: [condition({ reason: 'Other' })] } }),
        ),
        apply(
          `${at}/status`,
          'one',
          request(run, {}, { status: { poolCount: 2, conditions: [condition({ observedGeneration: 3 })] } }),
        ),
        apply(`${at}/status`, 'two', request(run, {})),
        { method: 'GET', path: at },
      ];
    },
  },
];

/** Of the object that was written last. */
function newestRevision(answers: readonly Exchange[]): string {
  const written = answers.findLast(({ status }) => status < 300)?.body as JsonObject;
  return String((written['metadata'] as JsonObject)['resourceVersion']);
}
