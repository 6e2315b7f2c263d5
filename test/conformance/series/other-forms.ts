import type { ResourceFacts } from '#shared/api/facts.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Request, Series } from './series.ts';

const forms = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'].map(
  (kind) => `application/json;as=${kind};v=v1;g=meta.k8s.io`,
);

const methods: Readonly<Record<string, string>> = {
  get: 'GET',
  update: 'PUT',
  patch: 'PATCH',
  create: 'POST',
  delete: 'DELETE',
};

/** They take over the connection. */
const streams: ReadonlySet<string> = new Set(['attach', 'exec', 'portforward', 'proxy']);

function pathsOf({
  group,
  version,
  resource,
  namespaced,
  subresources,
  verbs,
}: ResourceFacts): { readonly path: string; readonly method: string }[] {
  const collection = `${group === '' ? '/api' : `/apis/${group}`}/${version}${namespaced ? '/namespaces/default' : ''}/${resource}`;
  const known = (path: string, verb: string) => (methods[verb] === undefined ? [] : [{ path, method: methods[verb] }]);
  return [
    ...verbs.flatMap((verb) => known(verb === 'create' ? collection : `${collection}/none`, verb)),
    ...subresources
      .filter(({ name }) => !streams.has(name))
      .flatMap((subresource) =>
        subresource.verbs.flatMap((verb) => known(`${collection}/none/${subresource.name}`, verb)),
      ),
  ];
}

/** Nothing is there and nothing is sent: what is compared is who may be asked for which form. */
function everyPath(): readonly Request[] {
  const resources = loadFacts()
    .groups()
    .flatMap(({ versions }) => versions)
    .flatMap(({ resources: all }) => all)
    .filter(({ enabledByDefault }) => enabledByDefault);
  return resources.flatMap(pathsOf).flatMap(({ path, method }) =>
    forms.map((accept): Request => ({
      method,
      path: method === 'GET' ? path : `${path}?dryRun=All`,
      headers: { accept },
      ...(method === 'GET' || method === 'DELETE' ? {} : { body: {} }),
    })),
  );
}

const review = (kind: string, spec: JsonValue): JsonValue => ({ apiVersion: 'authorization.k8s.io/v1', kind, spec });

/** Answers that are not stored, in forms that they have and others. */
function unstored(): readonly Request[] {
  const attributes = { nonResourceAttributes: { path: '/', verb: 'get' } };
  const bodies: readonly (readonly [string, JsonValue])[] = [
    ['/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', review('SelfSubjectAccessReview', attributes)],
    ['/apis/authorization.k8s.io/v1/subjectaccessreviews', review('SubjectAccessReview', { user: 'a', ...attributes })],
    [
      '/apis/authentication.k8s.io/v1/tokenreviews',
      { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: 'none' } },
    ],
    [
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    ],
  ];
  const accepts = [
    ...forms,
    ...forms.map((form) => `${form},application/json`),
    ...forms.map((form) => form.replace('json', 'yaml')),
    ...forms.map((form) => form.replace('json', 'vnd.kubernetes.protobuf')),
    'application/json',
  ];
  return accepts.flatMap((accept): Request[] => [
    ...bodies.map(([path, body]): Request => ({ method: 'POST', path, headers: { accept }, body })),
    { method: 'GET', path: '/api/v1/namespaces/default/pods/none/log', headers: { accept } },
  ]);
}

/** Keys around the length and form that YAML can tell before a colon. */
function longKeys(run: string): readonly Request[] {
  const accept = 'application/yaml';
  const keys = [128, 129, 200].map((length) => `${'a.'.repeat(length / 2 - 6)}${'b'.repeat(length % 2)}example.com/x`);
  const labels = Object.fromEntries(keys.map((key) => [key, 'x']));
  const maps = '/api/v1/namespaces/default/configmaps';
  return [
    {
      method: 'POST',
      path: maps,
      headers: { accept },
      body: {
        metadata: { name: run, labels, annotations: labels },
        data: { ['k'.repeat(128)]: '1', ['l'.repeat(129)]: 'a\nb' },
      },
    },
    { method: 'GET', path: `${maps}/${run}`, headers: { accept } },
    { method: 'GET', path: `${maps}?fieldSelector=metadata.name%3D${run}`, headers: { accept } },
  ];
}

export const otherFormSeries: readonly Series[] = [
  { name: 'long keys in YAML', requests: longKeys },
  { name: 'which resources are Tables and which have metadata', requests: everyPath },
  { name: 'answers that are not stored, in other forms', requests: unstored },
];
