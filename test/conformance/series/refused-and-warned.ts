import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Request, Series } from './series.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const daemonSets = '/apis/apps/v1/namespaces/default/daemonsets';
const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';

const jsonPatch = { 'content-type': 'application/json-patch+json' };
const strategicPatch = { 'content-type': 'application/strategic-merge-patch+json' };

function definition(run: string): JsonObject {
  const version = (name: string, field: string): JsonObject => ({
    name,
    served: name === 'v1',
    storage: name === 'v1',
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: { spec: { type: 'object', properties: { [field]: { type: 'integer' } } } },
      },
    },
  });
  const names = { plural: `${run}s`, singular: run, kind: `K${run}`, listKind: `K${run}List` };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${run}s.${run}.example.com` },
    spec: {
      group: `${run}.example.com`,
      scope: 'Namespaced',
      names,
      versions: [version('v1', 'a'), version('v2', 'b')],
    },
  };
}

/** Bodies of versions that a resource is not asked in: their own schema says what is unknown in them. */
function otherVersions(run: string): readonly Request[] {
  const group = `${run}.example.com`;
  const path = `/apis/${group}/v1/namespaces/default/${run}s`;
  const object = (version: string, name: string): JsonObject => ({
    apiVersion: `${group}/${version}`,
    kind: `K${run}`,
    metadata: { name },
    spec: { a: 1, z: 2 },
    other: { x: 1 },
  });
  const versions = ['v1', 'v2', 'v3', 'v9beta1'];
  const patch = (body: JsonValue, headers: Readonly<Record<string, string>> = {}): Request => ({
    method: 'PATCH',
    path: `${path}/kept?dryRun=All`,
    body,
    headers,
  });
  return [
    { method: 'POST', path: definitions, body: definition(run) },
    { method: 'GET', path, until: ({ status }) => status === 200 },
    { method: 'POST', path, body: object('v1', 'kept') },
    ...versions.flatMap((version): Request[] => [
      ...['Strict', 'Warn', 'Ignore'].map((fieldValidation): Request => ({
        method: 'POST',
        path: `${path}?dryRun=All&fieldValidation=${fieldValidation}`,
        body: object(version, 'a'),
      })),
      { method: 'PUT', path: `${path}/kept?dryRun=All`, body: object(version, 'kept') },
      patch(object(version, 'kept')),
      patch(
        [
          { op: 'replace', path: '/apiVersion', value: `${group}/${version}` },
          { op: 'add', path: '/other', value: 1 },
        ],
        jsonPatch,
      ),
    ]),
  ];
}

/** A generation in an annotation that is no number is found after the fields that nobody knows, and told alone. */
function brokenGenerations(run: string): readonly Request[] {
  const annotations = { 'deprecated.daemonset.template.generation': 'x' };
  const set = (name: string, more: JsonObject): JsonObject => ({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, ...more },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  });
  const change = { metadata: { annotations }, foo: 1, status: { bar: 2 } };
  return [
    { method: 'POST', path: daemonSets, body: set(run, {}) },
    { method: 'POST', path: `${daemonSets}?dryRun=All`, body: { ...set('other', { annotations }), foo: 1 } },
    ...['', '/status'].flatMap((subresource): Request[] => {
      const path = `${daemonSets}/${run}${subresource}?dryRun=All`;
      return [
        // What cannot be converted is told of before a name that is not that of the path.
        ...[null, 'another'].flatMap((name) =>
          [strategicPatch, {}].map((headers): Request => ({
            method: 'PATCH',
            path,
            body: { metadata: { name, annotations } },
            headers,
          })),
        ),
        {
          method: 'PATCH',
          path,
          body: { metadata: { annotations: { [Object.keys(annotations)[0] ?? '']: null } }, $patch: 'replace' },
          headers: strategicPatch,
        },
        { method: 'PATCH', path, body: change },
        { method: 'PATCH', path, body: change, headers: strategicPatch },
        {
          method: 'PATCH',
          path,
          body: [
            { op: 'add', path: '/metadata/annotations', value: annotations },
            { op: 'add', path: '/foo', value: 1 },
          ],
          headers: jsonPatch,
        },
        { method: 'PUT', path, body: { ...set(run, { annotations }), foo: 1 } },
      ];
    }),
  ];
}

/** Who is refused, and whether what is unknown is told as well. */
export const refusedAndWarnedSeries: readonly Series[] = [
  { name: 'refused and warned: custom resources in other versions', requests: otherVersions },
  {
    name: 'refused: versions that are none, of objects that an update may create',
    requests: (run) =>
      [
        'coordination.k8s.io/v1/namespaces/default/leases Lease',
        'v1/namespaces/default/endpoints Endpoints',
        'v1/namespaces/default/configmaps ConfigMap',
      ].flatMap((line) => {
        const [path = '', kind = ''] = line.split(' ');
        const root = path.startsWith('v1') ? '/api' : '/apis';
        const apiVersion = path.split('/namespaces')[0] ?? '';
        return ['abc', '7', '0', '-1', '01'].map((resourceVersion): Request => ({
          method: 'PUT',
          path: `${root}/${path}/${run}-${resourceVersion}`,
          body: { apiVersion, kind, metadata: { name: `${run}-${resourceVersion}`, resourceVersion } },
        }));
      }),
  },
  { name: 'refused and warned: generations that are none', requests: brokenGenerations },
  {
    name: 'refused: definitions without versions, APIServices with a prefix of a name',
    requests: (run) => [
      ...[{}, { spec: {} }, { spec: { versions: null } }, { spec: { versions: [] } }].map((more): Request => ({
        method: 'POST',
        path: definitions,
        body: {
          apiVersion: 'apiextensions.k8s.io/v1',
          kind: 'CustomResourceDefinition',
          metadata: { name: `${run}.example.com` },
          ...more,
        },
      })),
      {
        method: 'POST',
        path: `${apiServices}?dryRun=All`,
        body: {
          apiVersion: 'apiregistration.k8s.io/v1',
          kind: 'APIService',
          metadata: { name: 'v1.example.com', generateName: 'x' },
          spec: { group: 'example.com', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
        },
      },
    ],
  },
];
