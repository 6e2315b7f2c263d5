import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Request, Series } from './series.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';

function deployment(name: string): JsonObject {
  const containers = ['a', 'b', 'c'].map((container, index) => ({
    name: container,
    image: 'image',
    env: [
      { name: 'Z', value: '1' },
      { name: 'A', value: '2' },
    ],
    ports: [{ protocol: 'TCP', containerPort: 80 + index }],
  }));
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels: { z: '1', a: '2' }, annotations: { z: '1', a: '2' } },
    spec: {
      replicas: 1,
      selector: { matchLabels: { z: '1', a: '2' } },
      template: { metadata: { labels: { z: '1', a: '2' } }, spec: { containers } },
    },
  };
}

const pod = '/spec/template/spec';
const odd: JsonValue = { op: 'add', path: '/odd', value: { z: 1, a: [{ y: 1, b: 2 }] } };

/** Each is refused for an unknown field, with the patched document in the text. */
const patches: readonly (readonly JsonValue[])[] = [
  [],
  [{ op: 'move', from: `${pod}/containers`, path: '/spec/template' }],
  [
    { op: 'move', from: `${pod}/containers/0`, path: `${pod}/containers/1` },
    { op: 'add', path: `${pod}/containers/0/x`, value: 1 },
  ],
  [{ op: 'move', from: `${pod}/containers/0/env`, path: `${pod}/containers/-` }],
  [
    { op: 'copy', from: `${pod}/containers/0`, path: `${pod}/containers/-1` },
    { op: 'remove', path: `${pod}/containers/-1/env/0` },
  ],
  [{ op: 'copy', from: `${pod}/containers/0`, path: `${pod}/containers/0/copy` }],
  [
    { op: 'copy', from: '/spec', path: '/spec/template/spec/copy' },
    { op: 'add', path: '/spec/template/spec/copy/selector/x', value: 1 },
  ],
  [
    { op: 'replace', path: `${pod}/containers/1/env`, value: [{ value: '1', name: 'Z' }] },
    { op: 'copy', from: `${pod}/containers/1`, path: '/metadata/labels' },
  ],
  [{ op: 'test', path: '/spec/selector', value: { matchLabels: { a: '2', z: '1' } } }, odd],
  [
    { op: 'test', path: `${pod}/containers/0/ports`, value: [{ containerPort: 80, protocol: 'TCP' }] },
    { op: 'move', from: `${pod}/containers/0`, path: '/spec/odd' },
  ],
  [{ op: 'test', path: `${pod}/containers/0/odd`, value: null }, odd],
  [
    { op: 'remove', path: `${pod}/containers/0` },
    { op: 'add', path: `${pod}/containers/0/odd`, value: {} },
    { op: 'add', path: `${pod}/containers/0`, value: { z: 1, name: 'n' } },
  ],
  [
    {
      op: 'replace',
      path: '',
      value: {
        kind: 'Deployment',
        apiVersion: 'apps/v1',
        odd: { z: 1, a: 1 },
        metadata: { name: 'x', labels: { z: '1', a: '1' } },
      },
    },
  ],
  [{ op: 'move', from: '/metadata/managedFields/0', path: '/metadata/labels' }],
  [{ op: 'copy', from: '/metadata/managedFields', path: '/metadata/annotations/x' }],
];

function requests(run: string): readonly Request[] {
  const path = `${deployments}/${run}`;
  return [
    { method: 'POST', path: `${deployments}?fieldManager=one`, body: deployment(run) },
    ...patches.map((operations): Request => ({
      method: 'PATCH',
      path: `${path}?fieldValidation=Strict`,
      headers: { 'content-type': 'application/json-patch+json' },
      body: [...operations, { op: 'add', path: '/unknown', value: 1 }],
    })),
    { method: 'DELETE', path },
  ];
}

/**
 * Members of operations that are unknown or come twice, in the order of the text; nothing within an unknown one is
 * looked at.
 */
const operations: readonly string[] = [
  '{"op":"add","path":"/metadata/labels/a","value":"1","foo":"bar"},{"op":"add","path":"/a","path":"/metadata/labels/b","value":"2"}',
  '{"op":"add","op":"add","foo":1,"path":"/metadata/labels/a","path":"/metadata/labels/b","bar":2,"value":"1"}',
  '{"foo":{"a":1,"a":2},"foo":1,"op":"add","path":"/metadata/annotations","value":{"a":"1"},"bar":[{"b":1,"b":1}]}',
  '{"Op":"add","PATH":"/a","path":"/metadata/labels/a","op":"add","value":"1"},{"\\u006fp":"add","op":"add","path":"/metadata/labels/c","value":"1"}',
  `{"op":"add","path":"/metadata/labels/a","value":"1",${Array.from({ length: 120 }, (_, index) => `"x${index}":1`).join()}}`,
  '{"op":1,"foo":1}',
  'null,{"op":"test","path":"/kind","value":"Deployment","x":null}',
  '[{"x":1}]',
  '',
];

function operationRequests(run: string): readonly Request[] {
  const path = `${deployments}/${run}`;
  return [
    { method: 'POST', path: `${deployments}?fieldManager=one`, body: deployment(run) },
    ...operations.flatMap((body) =>
      ['Strict', 'Warn', 'Ignore'].map((directive): Request => ({
        method: 'PATCH',
        path: `${path}?fieldValidation=${directive}`,
        headers: { 'content-type': 'application/json-patch+json' },
        body: `[${body}]`,
      })),
    ),
    { method: 'DELETE', path },
  ];
}

/** What is no number is no revision at all when an object is made. */
function revisionRequests(run: string): readonly Request[] {
  const configMaps = '/api/v1/namespaces/default/configmaps';
  return [
    '',
    '0',
    '00',
    '1',
    'a',
    '-1',
    '1.0',
    ' 1',
    '18446744073709551615',
    '18446744073709551616',
    '0x1',
    '%!s(MISSING)',
  ].flatMap((resourceVersion, index): Request[] => {
    const [made, put, applied] = ['made', 'put', 'applied'].map((name) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `${run}-${name}-${index}`, resourceVersion },
    }));
    return [
      { method: 'POST', path: configMaps, body: made ?? {} },
      { method: 'PUT', path: `${configMaps}/${put?.metadata.name ?? ''}`, body: put ?? {} },
      { method: 'PUT', path: `${configMaps}/${made?.metadata.name ?? ''}`, body: made ?? {} },
      {
        method: 'PATCH',
        path: `${configMaps}/${applied?.metadata.name ?? ''}?fieldManager=a`,
        headers: { 'content-type': 'application/apply-patch+yaml' },
        body: applied ?? {},
      },
      {
        method: 'PATCH',
        path: `${configMaps}/${made?.metadata.name ?? ''}`,
        headers: { 'content-type': 'application/merge-patch+json' },
        body: { metadata: { resourceVersion } },
      },
      {
        method: 'DELETE',
        path: `${configMaps}/${made?.metadata.name ?? ''}`,
        body: { preconditions: { resourceVersion } },
      },
    ];
  });
}

/** Kinds that are known, in no version of the resource, and such that nobody knows. */
const kinds: readonly (readonly [version: string, kind: string])[] = [
  ['v1', 'Pod'],
  ['v1', 'Odd'],
  ['v1', 'Status'],
  ['v1', 'List'],
  ['v1', 'ListOptions'],
  ['v1', 'WatchEvent'],
  ['v1', 'PodList'],
  ['v1', 'APIGroup'],
  ['v1', 'PodExecOptions'],
  ['v1', 'Table'],
  ['v1beta1', 'Pod'],
  ['apps/v1', 'Scale'],
  ['apps/v1', 'ListOptions'],
  ['autoscaling/v1', 'Scale'],
  ['apps/v1', 'DaemonSet'],
  ['apps/v1', 'Deployment'],
  ['apps/v1beta1', 'StatefulSet'],
  ['extensions/v1beta1', 'Deployment'],
  ['meta.k8s.io/v1', 'Status'],
  ['meta.k8s.io/v1', 'Table'],
  ['example.com/v1', 'X'],
  ['policy/v1', 'Eviction'],
  ['admission.k8s.io/v1', 'AdmissionReview'],
  ['apiextensions.k8s.io/v1', 'CustomResourceDefinition'],
  ['apiregistration.k8s.io/v1', 'APIService'],
  ['apidiscovery.k8s.io/v2', 'APIGroupDiscovery'],
  ['discovery.k8s.io/v1', 'EndpointSlice'],
];

function kindRequests(run: string): readonly Request[] {
  const resources: readonly (readonly [path: string, body: JsonObject])[] = [
    ['/api/v1/namespaces/default/configmaps', { metadata: { name: run } }],
    [deployments, deployment(run)],
    [
      '/apis/apiregistration.k8s.io/v1/apiservices',
      {
        metadata: { name: `v1.${run}.example.org` },
        spec: { group: `${run}.example.org`, version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
      },
    ],
  ];
  return resources.flatMap(([path, body]): Request[] => {
    const at = `${path}/${String((body['metadata'] as JsonObject)['name'])}`;
    return [
      { method: 'POST', path, body },
      ...kinds.flatMap(([apiVersion, kind]): Request[] => [
        { method: 'PATCH', path: at, body: { apiVersion, kind } },
        {
          method: 'PATCH',
          path: at,
          headers: { 'content-type': 'application/json-patch+json' },
          body: [
            { op: 'replace', path: '/apiVersion', value: apiVersion },
            { op: 'replace', path: '/kind', value: kind },
          ],
        },
      ]),
      { method: 'DELETE', path: at },
    ];
  });
}

export const jsonPatchTextSeries: readonly Series[] = [
  { name: 'JSON patches: kinds that a document says to be', requests: kindRequests },
  { name: 'members of JSON patch operations', requests: operationRequests },
  { name: 'revisions in what is made', requests: revisionRequests },
  { name: 'documents after JSON patches, in texts of errors', requests },
];
