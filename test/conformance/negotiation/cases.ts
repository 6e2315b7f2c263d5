/** One request, by what it is called in the recorded answers. */
export interface Case {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

const meta = (kind: string, version = 'v1'): string => `;as=${kind};v=${version};g=meta.k8s.io`;
const bases = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
] as const;

const accepts: readonly string[] = [
  '',
  '*/*',
  'application/*',
  'text/html',
  'text/*',
  '*',
  'application/cbor-seq',
  'APPLICATION/JSON',
  'application/xml, application/json;q=0.1',
  ...bases,
  ...bases.flatMap((base) =>
    ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'].map((kind) => base + meta(kind)),
  ),
  ...bases.map((base) => `${base};stream=watch`),
  `application/json${meta('Table', 'v1beta1')}`,
  `application/json${meta('Table', 'v2')}`,
  `application/json${meta('Nope')}`,
  'application/json;as=Table',
  'application/json;as=Table;v=v1;g=apps',
  `application/json${meta('Table')},application/json`,
  `application/json${meta('Nope')},application/yaml`,
  'application/json;q=0',
  'application/json;q=0.1,application/yaml;q=0.9',
  'application/yaml, */*',
  'application/json;pretty=1',
  'application/json;pretty=0',
  'application/json;charset=utf-8',
  'application/json;profile=x',
  'application/json;sv=1',
  'application/json;stream=other',
  'application/cbor, application/json;q=0.5',
  'application/cbor-seq, application/cbor;q=0.9, application/json;q=0.5',
  'application/json;g=;v=;as=',
  ';',
  'application/json,',
  'application/cbor;stream=watch;pretty=1',
];

const group = 'neg.example.com';
const paths: Readonly<Record<string, string>> = {
  object: '/api/v1/namespaces/neg/configmaps/a',
  list: '/api/v1/namespaces/neg/configmaps',
  'empty list': '/api/v1/namespaces/neg/pods',
  watch: '/api/v1/namespaces/neg/configmaps?watch=1&timeoutSeconds=1',
  missing: '/api/v1/namespaces/neg/configmaps/missing',
  status: '/apis/apps/v1/namespaces/neg/deployments/a/status',
  scale: '/apis/apps/v1/namespaces/neg/deployments/a/scale',
  'unknown resource': '/api/v1/namespaces/neg/nopes',
  'custom object': `/apis/${group}/v1/namespaces/neg/things/a`,
  'custom list': `/apis/${group}/v1/namespaces/neg/things`,
  'custom watch': `/apis/${group}/v1/namespaces/neg/things?watch=1&timeoutSeconds=1`,
  'custom missing': `/apis/${group}/v1/namespaces/neg/things/missing`,
  'custom scale': `/apis/${group}/v1/namespaces/neg/things/a/scale`,
  definition: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.${group}`,
  'API service': '/apis/apiregistration.k8s.io/v1/apiservices/v1.apps',
  'versions of /api': '/api',
  'groups of /apis': '/apis',
  'a group': '/apis/apps',
  'resources of a group': '/apis/apps/v1',
  'resources of the core group': '/api/v1',
  'resources of a custom group': `/apis/${group}/v1`,
  'resources of definitions': '/apis/apiextensions.k8s.io/v1',
  'resources of API services': '/apis/apiregistration.k8s.io/v1',
  version: '/version',
  'OpenAPI v2': '/openapi/v2',
  'OpenAPI v3': '/openapi/v3',
  'OpenAPI v3 of a group': '/openapi/v3/apis/coordination.k8s.io/v1',
  'unknown path': '/nope',
};

const openApiAccepts = [
  'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
  'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  'application/com.github.proto-openapi.spec.v3@v1.0+protobuf',
  'application/com.github.proto-openapi.spec.v3.v1.0+protobuf',
  'application/com.github.proto-openapi.spec.v3@v1.0+protobuf;q=0.9, application/json',
  'application/json, application/com.github.proto-openapi.spec.v2@v1.0+protobuf;q=0.1',
];
const discoveryAccepts = ['json', 'yaml', 'vnd.kubernetes.protobuf', 'cbor'].flatMap((form) =>
  ['v2', 'v2beta1', 'v3'].map(
    (version) => `application/${form};g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
  ),
);

function readCases(): Case[] {
  return Object.entries(paths).flatMap(([of, path]) => {
    const more = path.startsWith('/openapi')
      ? openApiAccepts
      : path === '/api' || path === '/apis'
        ? [...discoveryAccepts, `${discoveryAccepts[0]},application/json`]
        : [];
    return [...accepts, ...more].map((accept) => ({
      name: `GET ${of} as ${accept === '' ? 'nothing' : accept}`,
      method: 'GET',
      path,
      headers: accept === '' ? {} : { accept },
    }));
  });
}

const contentTypes: readonly string[] = [
  '',
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
  'application/cbor-seq',
  'text/plain',
  'application/*',
  '*/*',
  'Application/Json',
  'application/json; charset=utf-8',
  'application/json;',
  'application/json; x',
  'application/json; charset="utf-8"',
  'application/json, application/yaml',
  'application/json;stream=watch',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
  'application/apply-patch+cbor',
  'application/merge-patch+json; charset=utf-8',
  'APPLICATION/MERGE-PATCH+JSON',
];

const writes: readonly (readonly [of: string, method: string, path: string, body: string])[] = [
  ['create', 'POST', '/api/v1/namespaces/neg/configmaps?dryRun=All', '{"metadata":{"name":"b"}}'],
  ['update', 'PUT', '/api/v1/namespaces/neg/configmaps/a?dryRun=All', '{"metadata":{"name":"a"}}'],
  [
    'patch',
    'PATCH',
    '/api/v1/namespaces/neg/configmaps/a?dryRun=All&fieldManager=m',
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"labels":{"a":"b"}}}',
  ],
  [
    'delete',
    'DELETE',
    '/api/v1/namespaces/neg/configmaps/a',
    '{"kind":"DeleteOptions","apiVersion":"v1","dryRun":["All"]}',
  ],
  [
    'review',
    'POST',
    '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    '{"spec":{"nonResourceAttributes":{"path":"/","verb":"get"}}}',
  ],
  [
    'custom create',
    'POST',
    `/apis/${group}/v1/namespaces/neg/things?dryRun=All`,
    `{"apiVersion":"${group}/v1","kind":"Thing","metadata":{"name":"b"}}`,
  ],
  [
    'custom patch',
    'PATCH',
    `/apis/${group}/v1/namespaces/neg/things/a?dryRun=All&fieldManager=m`,
    `{"apiVersion":"${group}/v1","kind":"Thing","metadata":{"labels":{"a":"b"}}}`,
  ],
];

function writeCases(): Case[] {
  return writes.flatMap(([of, method, path, body]) =>
    contentTypes.map((type) => ({
      name: `${of} from ${type === '' ? 'nothing' : type}`,
      method,
      path,
      body: Buffer.from(body),
      headers: type === '' ? {} : { 'content-type': type },
    })),
  );
}

/** `pretty` by parameter and by client. */
function prettyCases(): Case[] {
  const agents = ['curl/8', 'Wget/1', 'Mozilla/5.0 (X11)', 'kubectl/v1', ''];
  const queries = ['', '?pretty=1', '?pretty=true', '?pretty=0', '?pretty=yes', '?pretty='];
  return agents.flatMap((agent) =>
    queries.flatMap((query) =>
      ['application/json', 'application/yaml', 'application/cbor'].map((accept) => ({
        name: `GET object${query} by ${agent} as ${accept}`,
        method: 'GET',
        path: paths['object'] + query,
        headers: { accept, 'user-agent': agent },
      })),
    ),
  );
}

export function allCases(): Case[] {
  return [...readCases(), ...writeCases(), ...prettyCases()];
}

const schema = {
  type: 'object',
  properties: {
    spec: { type: 'object', properties: { replicas: { type: 'integer' } } },
    status: { type: 'object', properties: { replicas: { type: 'integer' } } },
  },
};
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };

/** What must be there before, in order: path of the collection and object. */
export const preparations: readonly (readonly [path: string, object: Readonly<Record<string, unknown>>])[] = [
  ['/api/v1/namespaces', { metadata: { name: 'neg' } }],
  ['/api/v1/namespaces/neg/configmaps', { metadata: { name: 'a' }, data: { x: 'y' } }],
  [
    '/apis/apps/v1/namespaces/neg/deployments',
    { metadata: { name: 'a' }, spec: { selector: { matchLabels: { a: 'b' } }, template } },
  ],
  [
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    {
      metadata: { name: `things.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: schema },
            subresources: { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
          },
        ],
      },
    },
  ],
  [
    `/apis/${group}/v1/namespaces/neg/things`,
    { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name: 'a' }, spec: { replicas: 1 } },
  ],
];
