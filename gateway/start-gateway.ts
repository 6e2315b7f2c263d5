import { loadFacts } from '../shared/api/load-facts.ts';
import type { Facts } from '../shared/api/facts.ts';
import { asKubeObject } from '../shared/apimachinery/object.ts';
import { readBoundObjectsFrom } from '../shared/authentication/service-account/bound-objects.ts';
import { createAuthorization } from '../shared/authorization/create-authorizer.ts';
import { relationExcerpt } from '../shared/authorization/node/relation-excerpts.ts';
import { registeredVersions } from '../shared/endpoints/discovery/registered-versions.ts';
import { DiscoveryHandler } from '../shared/endpoints/discovery/discovery-handler.ts';
import type { RegisteredVersion } from '../shared/endpoints/discovery/api-group-discovery.ts';
import { createErrorWriter } from '../shared/endpoints/responders/write-error.ts';
import { createLogger } from '../shared/observability/logger.ts';
import type { LogFormat, Logger } from '../shared/observability/logger.ts';
import { createRestResources } from '../shared/registry/create-rest-resources.ts';
import { decodeStored } from '../shared/serializer/codec.ts';
import { offeredMediaTypes } from '../shared/serializer/negotiate.ts';
import type { ProcessOptions } from '../shared/server/data-directory.ts';
import { HealthChecks } from '../shared/server/health.ts';
import { openAuthentication } from '../shared/server/open-authentication.ts';
import { openStorage } from '../shared/server/open-storage.ts';
import { effectiveVersion } from '../shared/server/options/effective-version.ts';
import { featureGates, servesCbor, showsStorageHashes } from '../shared/server/options/feature-gates.ts';
import { PathMux } from '../shared/server/path-mux.ts';
import { startServer } from '../shared/server/start-server.ts';
import { versionInfo } from '../shared/server/options/version-info.ts';
import { apiRegistrationGroup } from './apiservices/api-service.ts';
import { createApiServiceHandler } from './apiservices/api-service-handler.ts';
import { apiServiceDefinition } from './apiservices/api-service-strategy.ts';
import { backendAddresses, gatewayCredentials } from './backends/backend-addresses.ts';
import { BackendSet } from './backends/backends.ts';
import { Presence } from './identity/presence.ts';
import { DiscoveryMerger } from './discovery/merged-discovery.ts';
import { tlsListenerOptions } from './gateway-listener.ts';
import { GatewayRoutes } from './gateway-routes.ts';
import { createOpenApiHandler } from './openapi/openapi-handler.ts';
import { createPathLister } from './path-index.ts';
import type { BackendPool } from './proxy/backend-pool.ts';
import { RoutingTable } from './proxy/routing-table.ts';
import { RemoteApiServices } from './remote-api-services.ts';
import { createRouter } from './router.ts';
import { ServingCertificates } from './serving-certificates.ts';
import { gatewayHooks } from './start-hooks.ts';

export interface RunningGateway {
  /** Of the public listener. */
  readonly port: number;
  /** Resolves when everything that /readyz asks for is there. */
  readonly ready: Promise<void>;
  /** Its connections to backends and storage end with the process (`ProcessBody`). */
  shutdown(): Promise<void>;
}

/**
 * Puts the gateway together and opens its listeners. It serves before its backends are there, with 503 for what they
 * serve.
 */
export async function startGateway(processOptions: ProcessOptions): Promise<RunningGateway> {
  const { server: options, sockets } = processOptions;
  const facts = loadFacts();
  const logger = createLogger({ level: options.v, format: options.loggingFormat as LogFormat });
  const storage = openStorage(processOptions);
  const resources = createRestResources({
    facts,
    storage,
    definitions: [apiServiceDefinition],
    servesGroup: (group) => group === apiRegistrationGroup,
    excerptOf: relationExcerpt,
    onTrouble: (message, error) => logger.error(message, error),
    garbageCollection: options.enableGarbageCollector,
  });
  const authentication = openAuthentication(
    options,
    readBoundObjectsFrom(storage, (value) => asKubeObject(decodeStored(facts, value).object)),
    logger,
  );
  const authorization = createAuthorization({
    modes: options.authorizationMode,
    caches: resources.caches,
    gates: featureGates(options).gates,
  });

  const health = new HealthChecks(options.livezGracePeriod, (hook, error) =>
    logger.error('PostStartHook failed', error, { hook }),
  );
  const ownVersion = ownGroupVersion(facts);
  const remote: RemoteApiServices = new RemoteApiServices({
    resources,
    server: options,
    logger,
    onDiscovery: () => merger.invalidate(),
    ownsGroup: (group) => routes.table.ownsGroup(group),
  });
  const merger: DiscoveryMerger = new DiscoveryMerger([ownVersion], remote.discovery, new RoutingTable(new Map()));
  const credentials = gatewayCredentials(options);
  const backends = (name: 'core' | 'extensions', flag: readonly string[]): BackendSet =>
    new BackendSet({
      name,
      addresses: backendAddresses(flag, sockets[name]),
      credentials,
      health,
      onChange: () => routes.backendsChanged(),
      onError: (message, error) => logger.error(message, error),
    });
  const core = backends('core', options.coreServers);
  const extensions = backends('extensions', options.extensionsServers);
  const routes: GatewayRoutes = new GatewayRoutes({
    core,
    extensions,
    remote,
    apiServices: resources.store(apiRegistrationGroup, 'apiservices'),
    own: [{ group: ownVersion.group, version: ownVersion.version, groupPriority: 20_001, versionPriority: 0 }],
    onChange: (table) => merger.invalidate(table),
    onError: (error) => logger.error('APIServices are not current; trying again', error),
  });
  health.add({
    name: 'autoregister-completion',
    check: () => (routes.registrationComplete ? undefined : 'missing APIService'),
  });

  const presence = new Presence({ options, instance: processOptions.instance ?? 1, storage, facts, core, logger });
  const mux = new PathMux();
  const openApi = createOpenApiHandler({
    facts,
    own: { ...ownVersion, resources: resources.served().map((resource) => resource.facts) },
    core: core.pool,
    extensions: extensions.pool,
    remote,
    poolOf: (group, version) => poolOf(routes.table, group, version),
    apiVersion: effectiveVersion(options).emulation,
    build: versionInfo.gitVersion,
    cbor: servesCbor(options),
  });
  mux.handle('/openapi/v2', openApi);
  mux.handle('/openapi/v3', openApi);
  mux.handlePrefix('/openapi/v3/', openApi);
  mux.addPathLister(createPathLister([core.pool, extensions.pool], () => routes.table));
  const serving = new ServingCertificates(options, (error) =>
    logger.error('the serving certificate stays as it was', error),
  );
  const running = await startServer({
    name: 'gateway',
    options,
    mux,
    health,
    logger,
    metrics: [...remote.metrics(), ...merger.metrics()],
    listeners: [
      { kind: 'tls', tls: tlsListenerOptions(options, authentication, serving, logger) },
      { kind: 'unix', path: sockets.gateway },
    ],
    chain: {
      authenticator: authentication.authenticator,
      authorizer: authorization.authorizer,
      apiAudiences: authentication.apiAudiences,
      writeError: createErrorWriter(facts),
    },
    handler: createRouter({
      discovery: new DiscoveryHandler(facts, offeredMediaTypes(servesCbor(options)), showsStorageHashes(options)),
      merged: merger,
      ownHandler: createApiServiceHandler(options, resources, authorization.authorizer),
      ownVersion,
      remote,
      fallback: core.pool,
      definitions: extensions.pool,
      table: () => routes.table,
      complete: () => core.known && extensions.known,
    }),
    postStartHooks: gatewayHooks(routes, presence.identity, remote.certificateRead),
  });
  const renewHandshake = (): void => {
    try {
      running.listeners[0]?.replaceCertificate?.(serving.usual.cert, serving.usual.key);
    } catch (error) {
      logger.error('handshakes stay as they were: the certificate, its key or an authority cannot be used', error);
    }
  };
  serving.onChange(renewHandshake);
  for (const bundle of [authentication.clientCa, authentication.requestHeaderCa]) bundle?.onChange(renewHandshake);
  return {
    port: running.listeners[0]?.port ?? 0,
    ready: Promise.all([core.ready, extensions.ready, routes.registered, authorization.ready()])
      // Core has made the bootstrap roles by now: nobody may be refused for want of them.
      .then(() => untilCurrent(authorization, logger))
      .then(() => untilGreen(health)),
    async shutdown() {
      // Nobody is led here any more while the last requests are served.
      await Promise.all([presence.leave(), running.shutdown()]);
      routes.close();
      remote.close();
      credentials?.close();
      serving.close();
      authentication.clientCa?.close();
      authentication.requestHeaderCa?.close();
      authorization.close();
      resources.caches.close();
    },
  };
}

function poolOf(table: RoutingTable, group: string, version: string): BackendPool | undefined {
  const route = table.find(group, version);
  return route?.kind === 'backend' ? route.pool : undefined;
}

/** A cache may be behind for longer than a read waits: that is no reason to end the process. */
async function untilCurrent(authorization: { current(): Promise<unknown> }, logger: Logger): Promise<void> {
  for (;;) {
    try {
      await authorization.current();
      return;
    } catch (error) {
      logger.error('the rules of authorization are not current; trying again', error);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** Checks change without telling; a few milliseconds count at the start. */
async function untilGreen(health: HealthChecks): Promise<void> {
  while ((await health.run('readyz')).some(({ reason }) => reason !== ''))
    await new Promise((resolve) => setTimeout(resolve, 5));
}

function ownGroupVersion(facts: Facts): RegisteredVersion {
  const [version] = registeredVersions(
    facts,
    (resource) => resource.group === apiRegistrationGroup && resource.enabledByDefault,
  );
  if (version === undefined) throw new Error(`the facts do not know ${apiRegistrationGroup}`);
  return version;
}
