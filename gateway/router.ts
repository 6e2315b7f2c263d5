import type { Handler, RequestContext } from '../shared/request/request-context.ts';
import type { RegisteredVersion } from '../shared/endpoints/discovery/api-group-discovery.ts';
import { refuseOtherMethods } from '../shared/endpoints/get-only.ts';
import type { DiscoveryHandler, DiscoveryRoot } from '../shared/endpoints/discovery/discovery-handler.ts';
import { sendNotFound, unknownResource } from '../shared/endpoints/responders/not-found.ts';
import { forward } from './proxy/forward.ts';
import { backendAway } from './proxy/pick-backend.ts';
import type { BackendPool } from './proxy/backend-pool.ts';
import type { RoutingTable } from './proxy/routing-table.ts';
import type { RemoteApiServices } from './remote-api-services.ts';

export interface RouterOptions {
  readonly discovery: DiscoveryHandler;
  /** What all servers together offer. */
  readonly merged: DiscoveryRoot;
  /** Resources of the gateway's own group version. */
  readonly ownHandler: Handler;
  readonly ownVersion: RegisteredVersion;
  readonly remote: Pick<RemoteApiServices, 'forward'>;
  /** Takes every path that belongs to no API group; the end of the delegation chain. */
  readonly fallback: BackendPool;
  /**
   * Takes groups that nobody has announced: one may have been defined a moment ago. It looks again, and answers 404.
   */
  readonly definitions: BackendPool;
  /** The routes of this moment. */
  readonly table: () => RoutingTable;
  /** Whether all backends have reported what they serve: a path that is unknown now stays unknown. */
  readonly complete: () => boolean;
}

/** Sends each request to who serves its group version, by the table of the moment. */
export function createRouter(options: RouterOptions): Handler {
  const { discovery, merged } = options;
  return (context) => {
    const { path } = context.info;
    if (path.startsWith('/apis')) {
      if (path === '/apis' || path === '/apis/') return discovery.groups(context, merged);
      if (path.startsWith('/apis/')) return routeGroup(options, context, path);
    } else if (path.startsWith('/api/') && path.length > 5) {
      const version = segment(path, 5);
      // Below `/api` all paths are those of resources, as it is registered by that prefix.
      if (version === '') throw unknownResource();
      return routeVersion(options, context, '', version, path.length === 5 + version.length);
    }
    return forward(context, options.fallback);
  };
}

function routeGroup(options: RouterOptions, context: RequestContext, path: string): void | Promise<void> {
  const group = segment(path, 6);
  if (group === '') return unknownPath(options, context, false);
  const version = segment(path, 7 + group.length);
  if (version === '' && path.length > 7 + group.length)
    return unknownPath(options, context, options.table().ownsGroup(group));
  if (version !== '')
    return routeVersion(options, context, group, version, path.length <= 8 + group.length + version.length);
  // Its own group is routed as resources are.
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
      : forward(context, options.definitions);
  }
  if (route.kind === 'backend') return forward(context, route.pool);
  if (route.kind === 'self')
    return bare ? options.discovery.resources(context, options.ownVersion) : options.ownHandler(context);
  return options.remote.forward(context, route.name);
}

/** Before the backends have reported, a path that nobody claims may still become known: a 503, as in the reference. */
function unknownPath(options: RouterOptions, context: RequestContext, groupIsKnown: boolean): void {
  if (!options.complete()) throw backendAway(options.fallback);
  if (groupIsKnown) throw unknownResource();
  sendNotFound(context);
}

function segment(path: string, start: number): string {
  const end = path.indexOf('/', start);
  return end < 0 ? path.slice(start) : path.slice(start, end);
}
