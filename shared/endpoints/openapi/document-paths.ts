import type { Facts, ResourceFacts } from '#shared/api/facts.ts';
import { rootOf, tagOf, titleOf } from './group-names.ts';
import { objectMedia } from './operation.ts';
import type { Operation, Paths } from './operation.ts';
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
export function* versionPaths(facts: Facts, { group, version, resources }: ServedVersion): Generator<string, Paths> {
  const paths = new Map<string, Operation[]>();
  const root = `/${rootOf(group, version)}/`;
  paths.set(root, [
    discoveryOperation(`get${titleOf(group, version)}APIResources`, tagOf(group, version), `${meta}.APIResourceList`),
  ]);
  for (const resource of resources) {
    for (const [path, operation] of resourceOperations(facts, resource)) {
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
    add('api', discoveryOperation('getCoreAPIVersions', 'core', `${meta}.APIVersions`));
  }
  add('apis', discoveryOperation('getAPIVersions', 'apis', `${meta}.APIGroupList`));
  for (const group of new Set(versions.map((version) => version.group))) {
    if (group !== '')
      add(rootOf(group), discoveryOperation(`get${titleOf(group)}APIGroup`, tagOf(group), `${meta}.APIGroup`));
  }
  add('version', {
    ...discoveryOperation('getCodeVersion', 'version', 'io.k8s.apimachinery.pkg.version.Info'),
    consumes: json,
    produces: json,
  });
  add(
    '.well-known/openid-configuration',
    textOperation('getServiceAccountIssuerOpenIDConfiguration', 'WellKnown', 'application/json'),
  );
  add('openid/v1/jwks', textOperation('getServiceAccountIssuerOpenIDKeyset', 'openid', 'application/jwk-set+json'));
  return documents;
}

function discoveryOperation(operationId: string, tag: string, model: string): Operation {
  return {
    method: 'get',
    operationId,
    tag,
    parameters: [],
    responses: { 200: model },
    consumes: objectMedia,
    produces: objectMedia,
  };
}

function textOperation(operationId: string, tag: string, mediaType: string): Operation {
  return {
    method: 'get',
    operationId,
    tag,
    parameters: [],
    responses: { 200: undefined },
    consumes: [],
    produces: [mediaType],
  };
}
