import type { ResourceFacts } from '#shared/api/facts.ts';
import { rootOf, tagOf, titleOf } from './group-names.ts';
import { objectMedia } from './operation.ts';
import type { Operation, Paths } from './operation.ts';
import type { PathOptions } from './resource-operations.ts';
import { resourceOperations } from './resource-operations.ts';

const json = ['application/json'];
const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** A group version that a server serves; all its resources are built-in. */
export interface ServedVersion {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly ResourceFacts[];
}

/**
 * All paths of one group version, sorted, after the path of its resource list. Yields an empty text at each place where
 * the caller may pause; returns the paths.
 */
export function* versionPaths(
  options: PathOptions,
  { group, version, resources }: ServedVersion,
): Generator<string, Paths> {
  const paths = new Map<string, Operation[]>();
  const root = `/${rootOf(group, version)}/`;
  paths.set(root, [
    discoveryOperation(`get${titleOf(group, version)}APIResources`, tagOf(group, version), 'APIResourceList'),
  ]);
  for (const resource of resources) {
    for (const [path, operation] of resourceOperations(options, resource)) {
      const known = paths.get(path);
      if (known === undefined) paths.set(path, [operation]);
      else known.push(operation);
      yield '';
    }
  }
  return new Map([...paths].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Paths that are not of resources, by the name of their document in the v3 index. */
export function generalPaths(versions: readonly ServedVersion[]): ReadonlyMap<string, Paths> {
  const documents = new Map<string, Paths>();
  const add = (document: string, operation: Operation): void => {
    documents.set(document, new Map([[`/${document}/`, [operation]]]));
  };
  if (versions.some(({ group }) => group === '')) {
    add('api', discoveryOperation('getCoreAPIVersions', 'core', 'APIVersions'));
  }
  add('apis', discoveryOperation('getAPIVersions', 'apis', 'APIGroupList'));
  for (const group of new Set(versions.map((version) => version.group))) {
    if (group !== '') add(rootOf(group), discoveryOperation(`get${titleOf(group)}APIGroup`, tagOf(group), 'APIGroup'));
  }
  add('version', {
    ...readOperation('getCodeVersion', 'version', 'get the version information for this server', json),
    responses: { 200: 'io.k8s.apimachinery.pkg.version.Info' },
    consumes: json,
  });
  add(
    '.well-known/openid-configuration',
    readOperation(
      'getServiceAccountIssuerOpenIDConfiguration',
      'WellKnown',
      "get service account issuer OpenID configuration, also known as the 'OIDC discovery doc'",
      json,
    ),
  );
  add(
    'openid/v1/jwks',
    readOperation(
      'getServiceAccountIssuerOpenIDKeyset',
      'openid',
      'get service account issuer OpenID JSON Web Key Set (contains public token verification keys)',
      ['application/jwk-set+json'],
    ),
  );
  return documents;
}

const discoveryDescriptions = {
  APIVersions: 'get available API versions',
  APIGroupList: 'get available API versions',
  APIGroup: 'get information of a group',
  APIResourceList: 'get available resources',
} as const;

function discoveryOperation(operationId: string, tag: string, kind: keyof typeof discoveryDescriptions): Operation {
  return {
    ...readOperation(operationId, tag, discoveryDescriptions[kind], objectMedia),
    responses: { 200: `${meta}.${kind}` },
    consumes: objectMedia,
  };
}

/** The operation of a path that has no resource. Its answer is a text. */
function readOperation(
  operationId: string,
  tag: string,
  description: string,
  produces: Operation['produces'],
): Operation {
  return {
    method: 'get',
    operationId,
    description,
    tag,
    parameters: [],
    responses: { 200: undefined },
    consumes: [],
    produces,
  };
}
