import type { Facts } from '#shared/api/facts.ts';
import { registeredVersions, type BuiltInVersion } from '#shared/endpoints/discovery/registered-versions.ts';
import type { ServerDependencies } from '#shared/process/server-dependencies.ts';
import type { RestResources } from '#shared/registry/create-rest-resources.ts';
import { apiRegistrationGroup } from './apiservices/api-service.ts';
import type { Backends } from './backends/open-backends.ts';
import { DiscoveryMerger } from './discovery/merged-discovery.ts';
import { GatewayRoutes } from './gateway-routes.ts';
import { CurrentRoutes } from './proxy/current-routes.ts';
import { RemoteApiServices } from './remote-api-services.ts';

/** Priorities of the gateway's own group version, in discovery and as an APIService. */
const ownPriority = { groupPriority: 20_001, versionPriority: 0 };

/** The routes of all group versions, and their discovery document. */
export interface Routing {
  readonly ownVersion: BuiltInVersion;
  readonly routes: CurrentRoutes;
  /** Keeps the routes and the APIServices current. */
  readonly registration: GatewayRoutes;
  /** API servers that users registered by APIServices. */
  readonly remote: RemoteApiServices;
  readonly merger: DiscoveryMerger;
}

/** Creates the routing, which follows the backends and the APIServices. */
export function openRouting(
  dependencies: ServerDependencies,
  resources: RestResources,
  { core, extensions }: Backends,
): Routing {
  const { facts, options, egress, logger, health } = dependencies;
  const ownVersion = ownGroupVersion(facts);
  const routes = new CurrentRoutes();
  const remote = new RemoteApiServices({
    resources,
    server: options,
    egress: egress.selector,
    logger,
    onDiscovery: () => routes.notify(),
    ownsGroup: (group) => routes.table.ownsGroup(group),
  });
  const merger = new DiscoveryMerger([ownVersion], remote.discovery, routes);
  const registration = new GatewayRoutes({
    core,
    extensions,
    remote,
    routes,
    apiServices: resources.store(apiRegistrationGroup, 'apiservices'),
    own: [{ group: ownVersion.group, version: ownVersion.version, ...ownPriority }],
    onError: (error) => logger.error('APIServices are not current; trying again', error),
  });
  health.add({
    name: 'autoregister-completion',
    check() {
      const missing = registration.missingApiServices;
      return missing && `missing APIService: [${missing.join(' ')}]`;
    },
  });
  return { ownVersion, routes, registration, remote, merger };
}

function ownGroupVersion(facts: Facts): BuiltInVersion {
  const [version] = registeredVersions(
    facts,
    (resource) => resource.group === apiRegistrationGroup && resource.enabledByDefault,
  );
  if (version === undefined) throw new Error(`the facts do not know ${apiRegistrationGroup}`);
  return version;
}
