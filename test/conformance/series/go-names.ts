import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { template } from './pod-templates.ts';
import type { Request, Series } from './series.ts';

const core = '/api/v1/namespaces/default';

/** Names in the texts of errors that are those of Go. */
function goNames(run: string): readonly Request[] {
  const slice = (capacity: JsonObject, more: JsonObject = { allowMultipleAllocations: true }): JsonObject => ({
    metadata: { name: run },
    spec: {
      driver: 'a.example.com',
      nodeName: 'n',
      pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
      devices: [{ name: 'd', ...more, capacity: { mem: capacity } }],
    },
  });
  const policies: readonly JsonObject[] = [
    { validValues: ['1', '2'], validRange: { min: '1' } },
    { default: '1', validValues: ['1', '2'], validRange: { min: '1', max: '5', step: '2' } },
    { default: '3', validValues: ['1', '2'] },
    { validValues: ['1'] },
    { validRange: { min: '1' } },
    { default: '1', validRange: {} },
    { default: '1', validRange: { min: '2', max: '1' } },
    { default: '10', validRange: { min: '0', max: '50', step: '3' } },
    { default: '1', validValues: [] },
    { default: '1' },
    {},
    { default: '1', validValues: ['2', '1', '1'] },
    { default: '1', validValues: ['1', '20'] },
    { default: '-1', validRange: { min: '-5' } },
    { default: '1', validRange: null, validValues: null },
  ];
  const quota = (spec: JsonObject): JsonObject => ({ metadata: { name: run }, spec });
  const scopes: readonly JsonValue[] = [
    ['Terminating', 'NotTerminating'],
    ['BestEffort', 'NotBestEffort'],
    ['Odd'],
    ['Terminating', 'Terminating'],
    ['PriorityClass', 'Odd'],
    ['BestEffort'],
    ['Terminating', 'NotTerminating', 'BestEffort', 'NotBestEffort'],
  ];
  const selector = (scopeName: string, operator: string, values?: readonly string[]): JsonObject => ({
    matchExpressions: [{ scopeName, operator, ...(values && { values: [...values] }) }],
  });
  const job = '/apis/batch/v1/namespaces/default/jobs';
  const uncounted: readonly JsonValue[] = [
    { succeeded: ['a', 'a'] },
    { succeeded: ['a'], failed: ['a'] },
    { failed: ['', 'b'] },
    { succeeded: [''] },
    { succeeded: ['a', 'b', 'a'], failed: ['b'] },
  ];
  return [
    ...policies.flatMap((requestPolicy): Request[] =>
      [
        { value: '10', requestPolicy },
        { value: '1', requestPolicy },
      ].flatMap((capacity): Request[] =>
        [{}, { allowMultipleAllocations: true }, { allowMultipleAllocations: false }].map((more) => ({
          method: 'POST',
          path: '/apis/resource.k8s.io/v1/resourceslices?dryRun=All',
          body: slice(capacity, more),
        })),
      ),
    ),
    ...[
      { uid: 'u' },
      { uID: 'u' },
      {
        uid: 'u',
        name: 'n',
        namespace: 'x',
        generateName: 'g',
        resourceVersion: '1',
        generation: 3,
        creationTimestamp: '2020-01-01T00:00:00Z',
        deletionTimestamp: '2020-01-01T00:00:00Z',
        deletionGracePeriodSeconds: 3,
        selfLink: 'x',
        finalizers: ['a'],
        ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'b' }],
        managedFields: [{ manager: 'x' }],
      },
      { labels: { '-': 'x y' }, annotations: { '-': 'x' } },
    ].flatMap((metadata): Request[] => [
      {
        method: 'POST',
        path: '/apis/resource.k8s.io/v1/namespaces/default/resourceclaimtemplates?dryRun=All',
        body: {
          metadata: { name: run },
          spec: { metadata, spec: { devices: { requests: [{ name: 'one', exactly: { deviceClassName: 'a' } }] } } },
        },
      },
      {
        method: 'POST',
        path: `${core}/pods?dryRun=All`,
        body: {
          metadata: { name: run },
          spec: {
            containers: [{ name: 'c', image: 'i' }],
            volumes: [
              {
                name: 'v',
                ephemeral: {
                  volumeClaimTemplate: {
                    metadata,
                    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } },
                  },
                },
              },
            ],
          },
        },
      },
      {
        method: 'POST',
        path: '/apis/apps/v1/namespaces/default/statefulsets?dryRun=All',
        body: {
          metadata: { name: run },
          spec: {
            selector: { matchLabels: { a: 'b' } },
            template: template({}),
            volumeClaimTemplates: [
              { metadata, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } } },
            ],
          },
        },
      },
      {
        method: 'POST',
        path: `${core}/podtemplates?dryRun=All`,
        body: { metadata: { name: run }, template: { metadata, spec: { containers: [{ name: 'c', image: 'i' }] } } },
      },
    ]),
    ...scopes.flatMap((names) =>
      [{}, { pods: '1' }, { 'requests.cpu': '1', services: '2' }].map((hard): Request => ({
        method: 'POST',
        path: `${core}/resourcequotas?dryRun=All`,
        body: quota({ hard, scopes: names }),
      })),
    ),
    ...['Terminating', 'PriorityClass', 'Odd', 'CrossNamespacePodAffinity', 'VolumeAttributesClass'].flatMap((name) =>
      ['Exists', 'In', 'NotIn', 'DoesNotExist', 'Odd'].flatMap((operator) =>
        [undefined, [], ['a'], ['A b']].map((values): Request => ({
          method: 'POST',
          path: `${core}/resourcequotas?dryRun=All`,
          body: quota({ hard: { pods: '1', services: '1' }, scopeSelector: selector(name, operator, values) }),
        })),
      ),
    ),
    { method: 'POST', path: `${core}/resourcequotas`, body: quota({ hard: { pods: '1' }, scopes: ['BestEffort'] }) },
    ...scopes.map((names): Request => ({
      method: 'PATCH',
      path: `${core}/resourcequotas/${run}?dryRun=All`,
      body: { spec: { scopes: names } },
    })),
    {
      method: 'PATCH',
      path: `${core}/resourcequotas/${run}?dryRun=All`,
      body: { spec: { scopeSelector: selector('PriorityClass', 'Exists') } },
    },
    {
      method: 'POST',
      path: job,
      body: { metadata: { name: run }, spec: { template: template({ restartPolicy: 'Never' }) } },
    },
    ...uncounted.map((uncountedTerminatedPods): Request => ({
      method: 'PATCH',
      path: `${job}/${run}/status?dryRun=All`,
      body: { status: { uncountedTerminatedPods } },
    })),
  ];
}

export const goNameSeries: readonly Series[] = [{ name: "details: Go's names in errors", requests: goNames }];
