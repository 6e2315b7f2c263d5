import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { apply, type Request, type Series } from './series.ts';

const migrations = '/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations';
const versions = '/apis/internal.apiserver.k8s.io/v1alpha1/storageversions';
const migration = (name: string, resource: JsonObject, status?: JsonObject): JsonObject => ({
  apiVersion: 'storagemigration.k8s.io/v1beta1',
  kind: 'StorageVersionMigration',
  metadata: { name },
  spec: { resource },
  ...(status && { status }),
});
const version = (metadata: JsonObject, status?: JsonObject): JsonObject => ({
  apiVersion: 'internal.apiserver.k8s.io/v1alpha1',
  kind: 'StorageVersion',
  metadata,
  spec: {},
  ...(status && { status }),
});
const condition = (type: string, status: string, more: JsonObject = {}): JsonObject => ({
  type,
  status,
  lastTransitionTime: '2020-01-01T00:00:00Z',
  reason: 'Fine',
  message: '',
  ...more,
});

const resources: readonly JsonObject[] = [
  { group: 'apps', resource: 'deployments' },
  { resource: 'pods' },
  {},
  { group: '', resource: '' },
  { group: 'A_b', resource: 'Pods' },
  { group: 'a..b', resource: 'a.b' },
  { group: 'x'.repeat(300), resource: 'x'.repeat(70) },
  { group: 'a', resource: '1a' },
  { group: 'a', resource: 'pods/status' },
];

/** Each follows the one before on the same object. */
const migrationStatuses: readonly JsonObject[] = [
  { resourceVersion: 'x' },
  { resourceVersion: '0' },
  { resourceVersion: '012' },
  { resourceVersion: '-1' },
  { resourceVersion: '12345678901234567890123' },
  { resourceVersion: '7' },
  { resourceVersion: '' },
  {
    conditions: [
      condition('Running', 'True'),
      condition('Running', 'Maybe', { lastTransitionTime: null, reason: '', observedGeneration: -1 }),
      condition('a b', 'True', { reason: '1' }),
    ],
  },
  {
    conditions: [
      condition('Succeeded', 'True', { observedGeneration: 3, message: '<a>' }),
      condition('Failed', 'True'),
    ],
  },
  { conditions: [condition('Running', 'True')] },
  { conditions: [condition('Succeeded', 'True'), condition('Failed', 'False')] },
  { conditions: [condition('Succeeded', 'False')] },
  { conditions: null },
  { conditions: [] },
  { conditions: [condition('Succeeded', 'True')] },
  { conditions: [condition('Failed', 'True')] },
];

const server = (more: JsonObject): JsonObject => ({
  apiServerID: 'a',
  encodingVersion: 'apps/v1',
  decodableVersions: ['apps/v1'],
  ...more,
});
const versionStatuses: readonly JsonObject[] = [
  { storageVersions: [server({})], commonEncodingVersion: 'apps/v1' },
  { storageVersions: [server({})], commonEncodingVersion: 'v1' },
  { storageVersions: [server({})], commonEncodingVersion: null },
  { storageVersions: null, commonEncodingVersion: 'v1' },
  { storageVersions: null, commonEncodingVersion: null },
  {
    storageVersions: [server({}), server({ apiServerID: 'b', encodingVersion: 'v1', decodableVersions: ['v1'] })],
    commonEncodingVersion: 'v1',
  },
  {
    storageVersions: [server({}), server({ apiServerID: 'b', encodingVersion: 'v1', decodableVersions: ['v1'] })],
    commonEncodingVersion: null,
  },
  { storageVersions: [server({}), server({})], commonEncodingVersion: 'apps/v1' },
  { storageVersions: [{}], commonEncodingVersion: null },
  { storageVersions: [{}], commonEncodingVersion: '' },
  {
    storageVersions: [
      server({
        apiServerID: 'A b',
        encodingVersion: 'a/b/c',
        decodableVersions: ['/v1', 'v1/', 'A_/V1', 'x'.repeat(64)],
        servedVersions: ['v1', 'x', ''],
      }),
    ],
    commonEncodingVersion: 'a/b/c',
  },
  {
    storageVersions: [server({ decodableVersions: ['v1', 'v2'], servedVersions: ['v2', 'v3'] })],
    commonEncodingVersion: 'apps/v1',
  },
  { storageVersions: [server({ decodableVersions: [], servedVersions: ['v3'] })], commonEncodingVersion: 'apps/v1' },
  {
    storageVersions: null,
    commonEncodingVersion: null,
    conditions: [condition('AllEncodingVersionsEqual', 'True', { message: 'x' })],
  },
  {
    conditions: [
      condition('a b', 'c d'),
      condition('x', 'True', { reason: '' }),
      condition('x', 'True', { message: 'x' }),
      condition('', ''),
    ],
  },
];

const serverNames: readonly string[] = [
  'apps.deployments',
  'deployments',
  '.pods',
  'a.',
  'A.b',
  'a.B',
  'a.1b',
  'a..b',
  'example.com.widgets',
  `${'x'.repeat(254)}.a`,
  `a.${'x'.repeat(64)}`,
];

/** Migrations of what is stored, and what servers say of how they store it. */
export const storageVersionKindSeries: readonly Series[] = [
  {
    name: 'storage version migrations',
    requests(run) {
      const item = `${migrations}/${run}`;
      const patch = (part: string, body: JsonObject): Request => ({ method: 'PATCH', path: `${item}${part}`, body });
      return [
        ...resources.map((resource, index): Request => ({
          method: 'POST',
          path: migrations,
          body: migration(`${run}-${index}`, resource),
        })),
        { method: 'POST', path: migrations, body: { ...migration(`A${run}`, {}), spec: {} } },
        { method: 'PUT', path: item, body: migration(run, { resource: 'pods' }) },
        { method: 'POST', path: migrations, body: migration(run, { resource: 'pods' }, { resourceVersion: '5' }) },
        { method: 'PUT', path: item, body: migration(run, { resource: 'pods' }) },
        patch('', { spec: { resource: { resource: 'nodes' } } }),
        patch('', { spec: { resource: { group: 'A', resource: null } } }),
        patch('', { spec: null }),
        patch('', { status: { resourceVersion: '9' }, metadata: { labels: { a: 'b' }, finalizers: ['a'] } }),
        patch('', { status: { resourceVersion: '9' }, metadata: { labels: { a: 'b' } } }),
        ...migrationStatuses.map((status) =>
          patch('/status', {
            status,
            spec: { resource: { resource: 'x' } },
            metadata: { labels: { a: 'c' }, annotations: { a: 'b' } },
          }),
        ),
        apply(item, 'one', migration(run, { resource: 'pods' }, { resourceVersion: '1' })),
        apply(
          `${item}/status`,
          'one',
          migration(run, { resource: 'nodes' }, { resourceVersion: '7', conditions: [condition('Running', 'True')] }),
        ),
        apply(
          `${item}/status`,
          'two',
          migration(run, { resource: 'nodes' }, { conditions: [condition('Succeeded', 'False')] }),
        ),
        apply(
          `${item}/status`,
          'two',
          migration(run, { resource: 'nodes' }, { conditions: [condition('Running', 'False')] }),
        ),
        apply(item, 'two', migration(run, { resource: 'nodes' }), '&force=true'),
        { method: 'GET', path: item, headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } },
        { method: 'GET', path: `${item}/status` },
        { method: 'DELETE', path: item },
        apply(item, 'one', migration(run, { group: 'apps', resource: 'daemonsets' })),
        apply(`${item}/status`, 'one', migration(run, {}, { resourceVersion: '0' })),
      ];
    },
  },
  {
    name: 'storage versions',
    requests(run) {
      const name = `${run}.widgets`;
      const item = `${versions}/${name}`;
      const patch = (part: string, body: JsonObject): Request => ({ method: 'PATCH', path: `${item}${part}`, body });
      return [
        ...serverNames.map((text): Request => ({
          method: 'POST',
          path: `${versions}?dryRun=All`,
          body: version({ name: text }),
        })),
        { method: 'POST', path: `${versions}?dryRun=All`, body: version({ name: 'a.b', generateName: 'a.b-' }) },
        { method: 'POST', path: versions, body: version({ name: 'x', labels: { a: '-' }, finalizers: ['a'] }) },
        { method: 'PUT', path: item, body: version({ name }) },
        { method: 'POST', path: versions, body: version({ name }, { commonEncodingVersion: 'x' }) },
        { method: 'PUT', path: item, body: version({ name }) },
        patch('', { status: { commonEncodingVersion: 'v1' }, metadata: { labels: { a: 'b' } } }),
        patch('', { metadata: { labels: { a: '-' }, finalizers: ['a'] } }),
        patch('', { metadata: { finalizers: ['a b'] } }),
        patch('/status', { metadata: { finalizers: ['a b'], labels: { a: 'c' } } }),
        patch('', { metadata: { finalizers: ['a'] } }),
        patch('', { metadata: { finalizers: null } }),
        ...versionStatuses.map((status) => patch('/status', { status })),
        apply(
          `${item}/status`,
          'one',
          version({ name }, { storageVersions: [server({})], commonEncodingVersion: 'apps/v1' }),
        ),
        apply(
          `${item}/status`,
          'two',
          version(
            { name },
            {
              storageVersions: [server({ encodingVersion: 'v1', decodableVersions: ['v1'] })],
              commonEncodingVersion: 'v1',
            },
          ),
        ),
        apply(
          `${item}/status`,
          'two',
          version(
            { name },
            {
              storageVersions: [server({ encodingVersion: 'v1', decodableVersions: ['v1'] })],
              commonEncodingVersion: 'v1',
            },
          ),
          '&force=true',
        ),
        apply(item, 'two', version({ name }, { commonEncodingVersion: 'v2' })),
        { method: 'GET', path: item, headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } },
        { method: 'DELETE', path: item },
      ];
    },
  },
];
