import type { Verb } from '#shared/api/facts.ts';
import { newGenericServerResponse } from '#shared/apimachinery/errors/status.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import type { RequestInfo } from '#shared/request/request-info.ts';
import { checkRepresentations, representations, type MediaType } from '#shared/serializer/negotiate.ts';
import { patchTypeOf, patchTypes } from './patch/patch-types.ts';
import type { HandlerDependencies } from './request/handler-dependencies.ts';
import { scopeOf, type RequestScope } from './request/request-scope.ts';

export type RouteVerb = Verb | 'connect';

export interface Route {
  readonly verb: RouteVerb;
  readonly scope: RequestScope;
}

/** Subresources that take over the connection, with each method that they support. */
const connectors: ReadonlySet<string> = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

/** The methods of `proxy`; discovery does not list HEAD and OPTIONS (pkg/registry/core/pod/rest/subresources.go). */
const proxyMethods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);

/**
 * Finds the route of a request among the paths that the reference registers. It checks first the path (404), then the
 * method (405), the media type of a patch (415), and the Accept header (406); each error is a Status.
 */
export function findRoute(env: HandlerDependencies, context: RequestContext): Route {
  const { resources, mediaTypes } = env;
  const { info, exchange } = context;
  const rest = resources.find(info.apiGroup, info.apiVersion, info.resource);
  if (rest === undefined || info.pathVerb === 'proxy') throw routeFailure(404);
  const { facts } = rest;
  const pathKind = pathKindOf(info, facts.namespaced);
  if (pathKind === undefined) throw routeFailure(404);
  if (!hasPath(info, pathKind, facts.verbs)) throw routeFailure(404);
  const subresource = pathKind === 'subresource' ? rest.subresources.get(info.subresource) : undefined;
  if (pathKind === 'subresource' && subresource === undefined) throw routeFailure(404);
  if (info.parts.length > 3 && info.subresource !== 'proxy') throw routeFailure(404);
  const verb = verbOf(exchange.method, info, pathKind);
  const scope = scopeOf(rest, subresource, env);
  if (subresource !== undefined && connectors.has(subresource.facts.name)) {
    const taken =
      subresource.facts.name === 'proxy'
        ? proxyMethods.has(exchange.method)
        : verb !== undefined && subresource.facts.verbs.includes(verb);
    if (!taken) throw routeFailure(405);
    // The response of a subresource that is no object (log) is always text, whatever the negotiated type.
    if (subresource.isNegotiated === true)
      checkRepresentations(exchange.headers['accept'] as string | undefined, [
        'text/plain',
        ...formsOf(mediaTypes).plain,
      ]);
    return { verb: 'connect', scope };
  }
  const verbs: readonly string[] = subresource?.facts.verbs ?? facts.verbs;
  if (verb === undefined || !verbs.includes(verb)) throw routeFailure(405);
  if (verb === 'patch' && !patchTypes(mediaTypes).includes(patchTypeOf(context)))
    throw routeFailure(415, '415: Unsupported Media Type');
  const watchable = (verb === 'list' || verb === 'watch') && facts.verbs.includes('watch');
  checkRepresentations(
    exchange.headers['accept'] as string | undefined,
    formsOf(mediaTypes)[watchable ? 'streams' : 'plain'],
  );
  return { verb, scope };
}

interface Forms {
  readonly plain: readonly string[];
  readonly streams: readonly string[];
}

const knownForms = new WeakMap<readonly MediaType[], Forms>();

/** The representations that a 406 lists, cached for each of the few lists of media types. */
function formsOf(mediaTypes: readonly MediaType[]): Forms {
  let forms = knownForms.get(mediaTypes);
  if (forms === undefined)
    knownForms.set(
      mediaTypes,
      (forms = { plain: representations(mediaTypes, false), streams: representations(mediaTypes, true) }),
    );
  return forms;
}

type PathKind = 'collection' | 'allNamespaces' | 'object' | 'subresource';

/** The place of a path. A namespace precedes namespaced resources only, so it does not precede `namespaces` itself. */
function pathKindOf({ parts, belowNamespace }: RequestInfo, namespaced: boolean): PathKind | undefined {
  if (belowNamespace !== namespaced) return namespaced && parts.length === 1 ? 'allNamespaces' : undefined;
  return parts.length === 1 ? 'collection' : parts.length === 2 ? 'object' : 'subresource';
}

/**
 * Whether a resource has such a path. A resource that is only created (bindings, reviews) has neither object nor list
 * paths, and a subresource has no watch path.
 */
function hasPath(info: RequestInfo, pathKind: PathKind, verbs: readonly string[]): boolean {
  if (info.pathVerb === 'watch' && (pathKind === 'subresource' || !verbs.includes('watch'))) return false;
  if (pathKind === 'object') return ['get', 'update', 'patch', 'delete'].some((verb) => verbs.includes(verb));
  return pathKind !== 'allNamespaces' || verbs.includes('list');
}

function verbOf(method: string, info: RequestInfo, pathKind: PathKind): RouteVerb | undefined {
  if (info.pathVerb === 'watch') return method === 'GET' ? 'watch' : undefined;
  if (pathKind === 'allNamespaces') return method === 'GET' ? 'list' : undefined;
  if (pathKind === 'collection')
    return method === 'GET'
      ? 'list'
      : method === 'POST'
        ? 'create'
        : method === 'DELETE'
          ? 'deletecollection'
          : undefined;
  switch (method) {
    case 'GET':
      return 'get';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return 'delete';
    case 'POST':
      return pathKind === 'subresource' ? 'create' : undefined;
    default:
      return undefined;
  }
}

/** An error of the router: its Status names neither resource nor reason. */
export function routeFailure(code: number, message = ''): Error {
  return newGenericServerResponse(code, message);
}
