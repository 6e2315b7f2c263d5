import {
  newBadRequest,
  newMethodNotSupported,
  newNotFound,
  newUnsupportedMediaType,
} from '#shared/apimachinery/errors/status.ts';
import { customPatchTypes, patchTypeOf } from '#shared/endpoints/patch/patch-types.ts';
import type { HandlerDependencies } from '#shared/endpoints/request/handler-dependencies.ts';
import { scopeOf } from '#shared/endpoints/request/request-scope.ts';
import type { Route, RouteVerb } from '#shared/endpoints/routes.ts';
import type { RestResource } from '#shared/registry/rest.ts';
import { leaveUncounted } from '#shared/request/leave-uncounted.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import type { RequestInfo } from '#shared/request/request-info.ts';

const objectVerbs: ReadonlySet<string> = new Set<RouteVerb>([
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
]);
const viewVerbs: ReadonlySet<string> = new Set<RouteVerb>(['get', 'update', 'patch']);
const named: ReadonlySet<string> = new Set<RouteVerb>(['get', 'update', 'patch', 'delete']);

/** Whether the scope of a resource, namespaced or cluster-wide, matches the path of a request. */
export function isServedAt(rest: RestResource, info: RequestInfo): boolean {
  return rest.facts.namespaced
    ? info.namespace !== '' || info.verb === 'list' || info.verb === 'watch'
    : info.namespace === '';
}

/**
 * The route of a request. Custom resources are routed by the verb of the request, not by path patterns as built-in
 * resources are (apiextensions-apiserver customresource_handler.go).
 */
export function customResourceRoute(rest: RestResource, context: RequestContext, env: HandlerDependencies): Route {
  const { info } = context;
  const { group, resource } = rest.facts;
  const subresource = info.subresource === '' ? undefined : rest.subresources.get(info.subresource);
  if (info.subresource !== '' && subresource === undefined) {
    leaveUncounted(context);
    throw newNotFound({ group, resource }, info.name);
  }
  const verbs = subresource === undefined ? objectVerbs : viewVerbs;
  if (!verbs.has(info.verb)) {
    leaveUncounted(context);
    throw newMethodNotSupported({ group, resource }, info.verb);
  }
  if (named.has(info.verb) && info.name === '') throw newBadRequest('name must be provided');
  const patchTypes = customPatchTypes(env.mediaTypes);
  if (info.verb === 'patch' && !patchTypes.includes(patchTypeOf(context))) throw newUnsupportedMediaType(patchTypes);
  return { verb: info.verb as RouteVerb, scope: scopeOf(rest, subresource, env) };
}
