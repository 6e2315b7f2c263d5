import type { RegisteredVersion } from '#shared/endpoints/discovery/api-group-discovery.ts';
import type { DiscoveryHandler, DiscoveryRoot } from '#shared/endpoints/discovery/discovery-handler.ts';
import { negotiateDiscovery } from '#shared/endpoints/discovery/negotiate-discovery.ts';
import { refuseOtherMethods } from '#shared/endpoints/get-only.ts';
import { sendNotFound, unknownResource } from '#shared/endpoints/responders/not-found.ts';
import { countedPath, type CountedAs } from '#shared/request/counted-as.ts';
import type { Handler, RequestContext } from '#shared/request/request-context.ts';
import type { BackendPool } from './proxy/backend-pool.ts';
import { forward } from './proxy/forward.ts';
import { backendAway } from './proxy/pick-backend.ts';
import type { RoutingTable } from './proxy/routing-table.ts';
import type { RemoteApiServices } from './remote-api-services.ts';

/** Lists of API groups are not counted, but for the aggregated ones (apiserver/pkg/endpoints/discovery/aggregated). */
const aggregatedDiscovery = countedPath('api', 'apiserver');

export interface RouterOptions {
  readonly discovery: DiscoveryHandler;
  /** Discovery of all servers together. */
  readonly merged: DiscoveryRoot;
  /** Resources of the gateway's own group version. */
  readonly ownHandler: Handler;
  readonly ownVersion: RegisteredVersion;
  readonly remote: Pick<RemoteApiServices, 'forward'>;
  /** Receives every path that belongs to no API group: the end of the delegation chain. */
  readonly fallback: BackendPool;
  /**
   * Receives requests for unknown groups, which a CustomResourceDefinition may have defined a moment ago. Answers 404
   * if it does not know the group either.
   */
  readonly definitions: BackendPool;
  /** Returns the current routing table. */
  readonly table: () => RoutingTable;
  /** Whether core and extensions have reported their group versions, so that an unknown path is a 404. */
  readonly complete: () => boolean;
}

/** Routes each request to the server of its group version, by the current routing table. */
export function createRouter(options: RouterOptions): Handler {
  const { discovery, merged } = options;
  return (context) => {
    const { path } = context.info;
    if (path.startsWith('/apis')) {
      if (path === '/apis' || path === '/apis/') return discovery.groups(context, merged);
      if (path.startsWith('/apis/')) return routeGroup(options, context, path);
    } else if (path.startsWith('/api/') && path.length > 5) {
      const version = context.info.isResourceRequest ? context.info.apiVersion : segment(path, 5);
      // Every path below `/api/` counts as a resource path, since the reference registers the handler for that prefix.
      if (version === '') throw unknownResource();
      return routeVersion(options, context, '', version, path.length === 5 + version.length);
    } else if (path === '/api' || path === '/api/') {
      const { form } = negotiateDiscovery(context.exchange.headers['accept'] as string | undefined);
      if (form !== 'legacy') context.countedAs = aggregatedDiscovery;
    }
    return forward(context, options.fallback);
  };
}

function routeGroup(options: RouterOptions, context: RequestContext, path: string): void | Promise<void> {
  const { info } = context;
  const group = info.isResourceRequest ? info.apiGroup : segment(path, 6);
  if (group === '') return unknownPath(options, context, false);
  const version = info.isResourceRequest ? info.apiVersion : segment(path, 7 + group.length);
  if (version === '' && path.length > 7 + group.length)
    return unknownPath(options, context, options.table().ownsGroup(group));
  if (version !== '')
    return routeVersion(options, context, group, version, path.length <= 8 + group.length + version.length);
  // The gateway's own group is routed like resources.
  if (group === options.ownVersion.group) refuseOtherMethods(context);
  if (!options.discovery.group(context, options.merged, group)) unknownPath(options, context, false);
}

function routeVersion(
  options: RouterOptions,
  context: RequestContext,
  group: string,
  version: string,
  bare: boolean,
): void | Promise<void> {
  const route = options.table().find(group, version);
  if (route === undefined) {
    const owned = options.table().ownsGroup(group);
    return owned || group === '' || !options.complete()
      ? unknownPath(options, context, owned)
      : counted(context, 'custom', options.definitions);
  }
  if (route.kind === 'backend')
    return counted(context, route.served.defined === true ? 'custom' : 'built-in', route.pool);
  if (route.kind === 'self')
    return bare ? options.discovery.resources(context, options.ownVersion) : options.ownHandler(context);
  return options.remote.forward(context, route.name);
}

/** Forwards a request, which counts unless the backend says that no route took it. */
function counted(context: RequestContext, countedAs: CountedAs, pool: BackendPool): Promise<void> {
  if (context.info.isResourceRequest) context.countedAs = countedAs;
  return forward(context, pool);
}

/** Answers 404 for an unknown path; 503 before the backends have reported, as in the reference. */
function unknownPath(options: RouterOptions, context: RequestContext, groupIsKnown: boolean): void {
  if (!options.complete()) throw backendAway(options.fallback);
  if (groupIsKnown) throw unknownResource();
  sendNotFound(context);
}

function segment(path: string, start: number): string {
  const end = path.indexOf('/', start);
  return end < 0 ? path.slice(start) : path.slice(start, end);
}
