import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { isObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt } from '#shared/apimachinery/object.ts';
import type { Exchange } from '#test/compare/exchange.ts';
import type { Request, Series } from './series.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const group = 'rbac.authorization.k8s.io';
const accounts = '/api/v1/namespaces/default/serviceaccounts';

const role = (name: string, rules: readonly JsonObject[]): readonly Request[] => [
  { method: 'POST', path: `${rbac}/clusterroles`, body: { metadata: { name }, rules: [...rules] } },
  {
    method: 'POST',
    path: `${rbac}/clusterrolebindings`,
    body: {
      metadata: { name },
      roleRef: { apiGroup: group, kind: 'ClusterRole', name },
      subjects: [{ kind: 'ServiceAccount', name, namespace: 'default' }],
    },
  },
];

/** The header of who a TokenRequest, the given answer, was made for. */
const bearer =
  (index: number) =>
  (answers: readonly Exchange[]): Readonly<Record<string, string>> => {
    const body = answers[index]?.body;
    return { authorization: `Bearer ${isObject(body) ? stringAt(objectAt(body, 'status') ?? {}, 'token') : ''}` };
  };

const impersonators: readonly (readonly [string, readonly JsonObject[]])[] = [
  [
    'old',
    [
      {
        apiGroups: [''],
        resources: ['users', 'groups', 'serviceaccounts'],
        verbs: ['impersonate'],
        resourceNames: ['anne', 'dev', 'default'],
      },
    ],
  ],
  [
    'new',
    [
      {
        apiGroups: ['authentication.k8s.io'],
        resources: ['users'],
        verbs: ['impersonate:user-info'],
        resourceNames: ['anne'],
      },
      {
        apiGroups: [''],
        resources: ['configmaps'],
        verbs: ['impersonate-on:user-info:list', 'impersonate-on:user-info:get'],
      },
    ],
  ],
  [
    'node',
    [
      {
        apiGroups: ['authentication.k8s.io'],
        resources: ['nodes'],
        verbs: ['impersonate:arbitrary-node'],
        resourceNames: ['n1'],
      },
      { apiGroups: [''], resources: ['configmaps'], verbs: ['impersonate-on:arbitrary-node:get'] },
    ],
  ],
  ['none', []],
];

/** Whom the refused wanted to be, after they were allowed to be another. */
function impersonation(run: string): readonly Request[] {
  return impersonators.flatMap(([way, rules], place): Request[] => {
    const name = `${run}-${way}`;
    const created: readonly Request[] = [
      { method: 'POST', path: accounts, body: { metadata: { name } } },
      ...role(name, rules),
      { method: 'POST', path: `${accounts}/${name}/token`, body: { spec: {} } },
    ];
    const before = place * (created.length + tries.length);
    return [
      ...created,
      ...tries.map(([path, wanted, until]): Request => ({
        method: 'GET',
        path,
        headers: (answers) => ({ ...wanted, ...bearer(before + created.length - 1)(answers) }),
        ...(until && { until: namesAnne(way) }),
      })),
    ];
  });
}

const maps = '/api/v1/namespaces/default/configmaps';
const as = (user: string, more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => ({
  'impersonate-user': user,
  ...more,
});

/** The first waits until the rights have come to the authorizer: who may not, is told of the user `anne`. */
const namesAnne =
  (way: string) =>
  ({ body }: Exchange): boolean =>
    (way !== 'old' && way !== 'new') || (isObject(body) && String(body['message']).includes('User "anne"'));
const tries: readonly (readonly [string, Readonly<Record<string, string>>, boolean?])[] = [
  [maps, as('bert')],
  [maps, as('anne'), true],
  [maps, as('bert')],
  [`${maps}/a`, as('bert')],
  [maps, as('anne', { 'impersonate-group': 'ops' })],
  [maps, as('anne', { 'impersonate-uid': 'u' })],
  [maps, as('anne', { 'impersonate-extra-a': 'b' })],
  [maps, as('system:serviceaccount:default:other')],
  [maps, as('system:node:n2')],
  [`${maps}/a`, as('system:node:n1')],
  [`${maps}/a`, as('system:node:n2')],
  [maps, as('bert')],
  [maps, as('anne')],
  [maps, as('bert')],
  [maps, as('system:serviceaccount:default:default')],
  [maps, as('bert')],
  ['/version', as('bert')],
  ['/healthz', as('anne')],
  [maps, as('system:anonymous')],
  [maps, as('system:masters', { 'impersonate-group': 'system:masters' })],
];

/** Bindings to roles that are none, by those who may not bind all, and by those who may bind roles. */
function bindings(run: string): readonly Request[] {
  return [
    ...bindingsBy(`${run}-binder`, []),
    ...bindingsBy(`${run}-giver`, [{ apiGroups: [group], resources: ['roles', 'clusterroles'], verbs: ['bind'] }]),
  ];
}

function bindingsBy(name: string, rights: readonly JsonObject[]): readonly Request[] {
  const as = { 'impersonate-user': `system:serviceaccount:default:${name}` };
  const body = (kind: string, roleName: string, apiGroup = group): JsonObject => ({
    metadata: { name: `${name}-x` },
    roleRef: { apiGroup, kind, name: roleName },
    subjects: [{ kind: 'User', apiGroup: group, name: 'anne' }],
  });
  const refs: readonly JsonObject[] = [
    body('Odd', 'a'),
    body('', 'a'),
    body('Role', 'nowhere'),
    body('ClusterRole', 'nowhere'),
    body('Odd', ''),
    body('Role', 'a', 'example.com'),
    body('Odd', 'a', 'example.com'),
    body('Odd', 'a b'),
    body('role', 'a'),
    body('ClusterRole', 'view', ''),
  ];
  return [
    ...role(name, [
      {
        apiGroups: [group],
        resources: ['rolebindings', 'clusterrolebindings'],
        verbs: ['create', 'update', 'patch', 'get'],
      },
      ...rights,
    ]),
    { method: 'GET', path: `${rbac}/clusterrolebindings/nothing`, headers: as, until: ({ status }) => status === 404 },
    {
      method: 'POST',
      path: `${rbac}/namespaces/default/rolebindings`,
      body: { metadata: { name: `${name}-kept` }, roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'view' } },
    },
    ...refs.flatMap((ref): Request[] =>
      ['namespaces/default/rolebindings', 'clusterrolebindings'].flatMap((resource): Request[] => [
        { method: 'POST', path: `${rbac}/${resource}?dryRun=All`, body: ref, headers: as },
        { method: 'POST', path: `${rbac}/${resource}?dryRun=All`, body: ref },
        { method: 'PUT', path: `${rbac}/${resource}/${name}-x?dryRun=All`, body: ref, headers: as },
      ]),
    ),
    ...refs.map((ref): Request => ({
      method: 'PATCH',
      path: `${rbac}/namespaces/default/rolebindings/${name}-kept?dryRun=All`,
      body: { roleRef: ref['roleRef'] as JsonValue, subjects: ref['subjects'] as JsonValue },
      headers: as,
    })),
  ];
}

const reviewMetadata: readonly JsonValue[] = [
  {},
  { name: 'a' },
  { namespace: 'x' },
  { name: 'a', namespace: 'default', labels: { z: '1', a: '2' } },
  {
    generateName: 'a',
    uid: 'u',
    resourceVersion: '5',
    finalizers: ['a/b'],
    annotations: { b: 'c' },
    ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'b' }],
  },
  {
    managedFields: [
      {
        manager: 'm',
        operation: 'Update',
        apiVersion: 'v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': {} },
        time: '2020-01-01T00:00:00Z',
      },
    ],
  },
  {
    creationTimestamp: '2020-01-01T00:00:00Z',
    deletionTimestamp: '2020-01-01T00:00:00Z',
    generation: 4,
    selfLink: '/x',
  },
];

/** Questions whose metadata is not empty, and questions that are none. */
function reviews(): readonly Request[] {
  const paths = [
    '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    '/apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews',
    '/apis/authentication.k8s.io/v1/tokenreviews',
    '/apis/authentication.k8s.io/v1/selfsubjectreviews',
  ];
  const specs: readonly JsonValue[] = [
    {},
    { user: 'a', resourceAttributes: { namespace: 'default', verb: 'get', resource: 'pods' } },
    { resourceAttributes: { verb: 'get', resource: 'pods' } },
    { token: 'x', audiences: ['y'] },
    { namespace: 'default' },
    { user: 'a', resourceAttributes: { verb: 'x' }, nonResourceAttributes: { path: '/x' } },
  ];
  const statuses: readonly JsonValue[] = [
    {},
    { authenticated: true, user: { username: 'x', groups: ['g'], extra: { a: ['b'] } }, audiences: ['a'], error: 'e' },
    { allowed: true, reason: 'because', evaluationError: 'e', denied: true },
    { resourceRules: [{ verbs: ['x'] }], incomplete: true },
    { userInfo: { username: 'x' } },
  ];
  return paths.flatMap((path): Request[] => [
    ...reviewMetadata.flatMap((metadata) =>
      specs.map((spec): Request => ({ method: 'POST', path, body: { metadata, spec } })),
    ),
    ...statuses.flatMap((status) =>
      specs.map((spec): Request => ({ method: 'POST', path: `${path}?fieldManager=f`, body: { spec, status } })),
    ),
  ]);
}

/** Tokens: what is filled in, and who is told to have filled it in. */
function tokens(run: string): readonly Request[] {
  const path = `${accounts}/${run}/token`;
  const specs: readonly JsonValue[] = [
    {},
    { expirationSeconds: 600 },
    { expirationSeconds: 700, audiences: ['a', 'b'] },
    { audiences: [] },
    { expirationSeconds: 5 },
    { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'a' } },
    { boundObjectRef: {} },
    { expirationSeconds: null },
  ];
  return [
    { method: 'POST', path: accounts, body: { metadata: { name: run } } },
    ...specs.flatMap((spec): Request[] => [
      { method: 'POST', path, body: { spec } },
      {
        method: 'POST',
        path: `${path}?fieldManager=f`,
        body: {
          apiVersion: 'authentication.k8s.io/v1',
          kind: 'TokenRequest',
          metadata: { name: run, namespace: 'default', labels: { a: 'b' } },
          spec,
          status: { token: 'x', expirationTimestamp: '2020-01-01T00:00:00Z' },
        },
      },
    ]),
  ];
}

/** Who is refused, and what a question of rights is answered. */
export const refusalSeries: readonly Series[] = [
  { name: 'refusals: impersonation by the old verbs and the new', requests: impersonation },
  { name: 'refusals: bindings to roles that are none', requests: bindings },
  { name: 'refusals: questions with metadata and a status', requests: reviews },
  { name: 'refusals: tokens as they are filled in', requests: tokens },
];
