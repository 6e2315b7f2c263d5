import { StatusError } from '#shared/apimachinery/errors/status.ts';
import { inSlices } from '#shared/apimachinery/slices/slices.ts';
import { leaveUncounted } from '#shared/request/leave-uncounted.ts';
import { noParameters } from '#shared/request/query-parameters.ts';
import type { Handler, RequestContext } from '#shared/request/request-context.ts';
import { builtinMediaTypes, jsonType } from '#shared/serializer/negotiate.ts';
import { activeSpan, runSpan } from '#shared/spans/active-span.ts';
import { addDeprecationWarning } from './deprecation.ts';
import { parseListOptions, narrowToName } from './options/list-options.ts';
import type { HandlerDependencies } from './request/handler-dependencies.ts';
import { negotiateAnswer } from './request/negotiate-answer.ts';
import type { RequestScope } from './request/request-scope.ts';
import { sendNotFound } from './responders/not-found.ts';
import { writeStatus } from './responders/write-error.ts';
import { findRoute, type Route, type RouteVerb } from './routes.ts';
import { responseSpan } from './tracing/response-span.ts';
import { notesTimesOnly } from './tracing/slow-get.ts';
import { verbSpan } from './tracing/verb-span.ts';
import { connectResource } from './verbs/connect.ts';
import { createResource } from './verbs/create.ts';
import { deleteCollection } from './verbs/delete-collection.ts';
import { deleteResource } from './verbs/delete.ts';
import { getResource } from './verbs/get.ts';
import { listResource } from './verbs/list.ts';
import { patchResource } from './verbs/patch.ts';
import { updateResource } from './verbs/update.ts';
import { watchResource } from './verbs/watch.ts';

/**
 * Serves all resource paths of a server. It throws errors, which the handler chain writes; a path of a group or version
 * that the server does not serve gets the plain 404.
 */
export function createResourceHandler(env: HandlerDependencies): Handler {
  const { resources } = env;
  return (context) => {
    const { info } = context;
    if (
      !info.isResourceRequest ||
      info.path.startsWith('//') ||
      !resources.hasGroupVersion(info.apiGroup, info.apiVersion)
    ) {
      leaveUncounted(context);
      sendNotFound(context);
      return;
    }
    const route = routeOf(env, context);
    context.countedAs = 'built-in';
    addDeprecationWarning(context, route.scope);
    return serveRoute(context, route);
  };
}

function routeOf(env: HandlerDependencies, context: RequestContext): Route {
  try {
    return findRoute(env, context);
  } catch (error) {
    leaveUncounted(context);
    throw error;
  }
}

/**
 * Serves a request by its route. An error here is written in any media type that the resource offers; an error before
 * routing only in the media types that every server offers.
 */
export function serveRoute(context: RequestContext, route: Route): Promise<void> {
  const { env } = route.scope;
  const { verb, scope } = route;
  // A connection that only reads, such as a log, is a GET (apiserver/pkg/endpoints/handlers/get.go).
  const name = verb === 'connect' && scope.subresource?.isNegotiated === true ? 'Get' : spanNames[verb];
  const isNoted = verb === 'get' && notesTimesOnly(scope.rest.store);
  const span = name === undefined || isNoted ? undefined : verbSpan(context, name);
  const served = span === undefined ? runUnnamed(context, route) : runSpan(span, runTraced, context, route);
  // The resource offers only the built-in media types, which the handler chain writes as well.
  if (env.mediaTypes === builtinMediaTypes) return served;
  return served.catch((error: unknown) => {
    if (!(error instanceof StatusError)) throw error;
    writeStatus(env.facts, context, error.status, env.mediaTypes, error.retryAfterSeconds);
  });
}

/** Work that has no span of its verb, but for lists and watches, which begin theirs. */
function runUnnamed(context: RequestContext, route: Route): Promise<void> {
  return route.verb === 'connect' && activeSpan() !== undefined ? runTraced(context, route) : runVerb(context, route);
}

/** Errors are written while the span of the verb is active. */
async function runTraced(context: RequestContext, route: Route): Promise<void> {
  try {
    await runVerb(context, route);
  } catch (error) {
    if (!(error instanceof StatusError) || context.exchange.responded) throw error;
    const { env } = route.scope;
    const span = responseSpan(context, route.scope, { mediaType: jsonType, pretty: false });
    writeStatus(env.facts, context, error.status, env.mediaTypes, error.retryAfterSeconds);
    await span?.end();
  }
}

/** Spans of the handlers by verb; those of lists and watches depend on the query. */
const spanNames: Readonly<Partial<Record<RouteVerb, string>>> = {
  get: 'Get',
  create: 'Create',
  update: 'Update',
  patch: 'Patch',
  delete: 'Delete',
  deletecollection: 'Delete',
};

function runVerb(context: RequestContext, { verb, scope }: Route): Promise<void> {
  switch (verb) {
    case 'get':
      return getResource(context, scope);
    case 'list':
      return listOrWatch(context, scope, false);
    case 'watch':
      return listOrWatch(context, scope, true);
    case 'create':
      return createResource(context, scope);
    case 'update':
      return updateResource(context, scope);
    case 'patch':
      return patchResource(context, scope);
    case 'delete':
      return deleteResource(context, scope);
    case 'deletecollection':
      return deleteCollection(context, scope);
    case 'connect':
      return connectResource(context, scope);
  }
}

async function listOrWatch(context: RequestContext, scope: RequestScope, forceWatch: boolean): Promise<void> {
  // Negotiates first: an unsupported Accept is a 406, before any other error.
  const form = negotiateAnswer(context, scope);
  const parsed = context.exchange.query === '' ? noParameters : context.info.query;
  const read = await inSlices(parseListOptions(scope.facts, parsed, forceWatch, scope.env.shards));
  const options = narrowToName(read, context.info.name);
  if (options.watch) {
    const isList = options.sendInitialEvents === true && options.allowWatchBookmarks;
    const span = isList ? verbSpan(context, 'WatchList') : undefined;
    return span === undefined
      ? watchResource(context, scope, options)
      : runSpan(span, watchResource, context, scope, options);
  }
  const span = verbSpan(context, 'List');
  return span === undefined
    ? listResource(context, scope, options, form)
    : runSpan(span, listResource, context, scope, options, form);
}
