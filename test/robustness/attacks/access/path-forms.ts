import { customRoot, echoRoot } from './path-rig.ts';

/** A resource as discovery names it. */
export interface ListedResource {
  /** `/api/v1` or `/apis/<group>/<version>`. */
  readonly root: string;
  readonly resource: string;
  readonly subresources: readonly string[];
}

export interface PathQuestion {
  readonly method: string;
  readonly path: string;
}

/** An object that nobody made. */
const name = 'nobody';
/** Subresources of some resources, asked of all. */
const foreign: readonly string[] = [
  'status',
  'finalize',
  'scale',
  'proxy',
  'log',
  'exec',
  'token',
  'binding',
  'eviction',
  'namespaces',
  'watch',
  'nope',
];
const methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'FOO'];

/**
 * Every scope in which a resource could be looked for, with and without a name, and each of its subresources and of
 * others.
 */
export function shapesOf({ root, resource, subresources }: ListedResource): readonly string[] {
  const scopes = [
    '',
    'namespaces/default/',
    'namespaces//',
    'namespaces/default/namespaces/default/',
    'namespaces/default/namespaces/',
    'watch/',
    'watch/namespaces/default/',
    'watch/namespaces//',
    'proxy/',
    'proxy/namespaces/default/',
  ];
  const below = ['', 'namespaces/default/', 'watch/namespaces/default/'];
  return [
    ...scopes.flatMap((scope) => ['', `/${name}`, '/', `/${name}/`].map((end) => `${root}/${scope}${resource}${end}`)),
    ...below.flatMap((scope) =>
      [...new Set([...subresources, ...foreign])].flatMap((sub) => [
        `${root}/${scope}${resource}/${name}/${sub}`,
        `${root}/${scope}${resource}/${name}/${sub}/more`,
      ]),
    ),
    `${root}/${resource}/status`,
    `${root}/${resource}/default/finalize`,
    `${root}/namespaces/default/status/${resource}`,
    `${root}/namespaces/default/finalize/${resource}`,
  ];
}

/** Other spellings of the path of one object: escapes, doubled and missing slashes, dots. */
export function spellingsOf({ root, resource }: ListedResource): readonly string[] {
  const path = `${root}/namespaces/default/${resource}/${name}`;
  const first = resource.charCodeAt(0).toString(16);
  const escaped = `%${first}${resource.slice(1)}`;
  return [
    path.replace('/namespaces', '%2Fnamespaces'),
    path.replace('/default', '%2fdefault'),
    path.replace(`/${resource}`, `%2F${resource}`),
    path.replaceAll('/', '%2F').replace('%2F', '/'),
    `${root}/namespaces/default%2f${resource}`,
    `${root}/namespaces/default/${resource}%2F`,
    `${path}%2Fstatus`,
    `${path}%2F..`,
    `${path}/..`,
    `${path}/%2e%2e`,
    `${path}/.`,
    `${path}/%2E`,
    `${root}/./${resource}`,
    `${root}/%2e/${resource}`,
    `${root}/../${resource}`,
    `${root}/%2e%2e/${resource}`,
    `${root}/namespaces/default/${escaped}/${name}`,
    `${root}/namespaces/default/${escaped.toUpperCase()}`,
    `${root}/namespaces/%64efault/${resource}`,
    `${root}/n%61mespaces/default/${resource}`,
    `${root}/namespaces/..%2f${resource}`,
    `${root}/namespaces/%2e%2e/${resource}`,
    `${root}/namespaces/./${resource}`,
    `/${root}/${resource}`,
    `${root}//${resource}`,
    `${root}/${resource}//`,
    `${root}//namespaces/default/${resource}`,
    `${root}/namespaces/default//${resource}`,
    `${path}//status`,
    `${root.replace('/', '/%')}/${resource}`,
    root.replace('/api', '/%61pi') + `/${resource}`,
    root.replace('/api', '/API') + `/${resource}`,
    root.replace(/v(\d)/, '%76$1') + `/${resource}`,
    root.replace(/v(\d)/, 'V$1') + `/${resource}`,
    `${root}/${resource};a=b`,
    `${root}/${resource}%3Fwatch=1`,
    `${root}/${resource}%23a`,
    `${root}/${resource}%20`,
    `${path}%20x`,
    `${path}+x`,
    `${path}%25`,
    `${path}%252F`,
    `${root}/${resource}?fieldSelector=metadata.name%3D${name}`,
    `${root}/${resource}?fieldSelector=metadata.name=a/b`,
    `${root}/${resource}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3D${name}`,
    `${root}/namespaces/${name}/${resource}?fieldSelector=metadata.namespace%3Ddefault`,
    `${root}/${resource}?watch=false`,
    `${root}/${resource}?watch=0&watch=1`,
    `${root}/namespaces/default/${resource}?labelSelector=a%3Db;watch=1`,
    `${root}/WATCH/${resource}`,
    `${root}/Namespaces/default/${resource}`,
    `${root}/watch`,
    `${root}/watch/`,
    `${root}/proxy`,
    `${root}/namespaces/default/watch/${resource}`,
    `${root}/watch/watch/${resource}`,
  ];
}

/** All of both with the methods that mean a verb, some that mean none, and dry run where something could be written. */
export function questionsOf(resource: ListedResource): readonly PathQuestion[] {
  const spelled = spellingsOf(resource).map((path) => ({ method: 'GET', path }));
  const shaped = shapesOf(resource).flatMap((path) =>
    methods.map((method) => ({ method, path: method === 'GET' || method === 'HEAD' ? path : `${path}?dryRun=All` })),
  );
  return [...spelled, ...shaped];
}

/**
 * What `npm test` asks: the scopes and words that were mixed up once, by the methods that would tell or do harm there.
 */
const recordedResources: readonly ListedResource[] = [
  { root: '/api/v1', resource: 'namespaces', subresources: ['status', 'finalize'] },
  { root: '/apis/apps/v1', resource: 'deployments', subresources: ['status', 'scale'] },
  { root: customRoot, resource: 'widgets', subresources: ['status', 'scale'] },
  { root: echoRoot, resource: 'things', subresources: ['status'] },
];

export function recordedQuestions(): readonly PathQuestion[] {
  return recordedResources.flatMap((resource) => [
    ...spellingsOf(resource).map((path) => ({ method: 'GET', path })),
    ...shapesOf(resource)
      .filter((path) => !/\/more$|\/$|\/(?:log|exec|token|binding|eviction|watch|nope)$/.test(path))
      .flatMap((path) => [
        { method: 'GET', path },
        { method: 'DELETE', path: `${path}?dryRun=All` },
      ]),
  ]);
}
