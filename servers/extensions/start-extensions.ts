import { loadFacts } from '../../shared/api/load-facts.ts';
import { asKubeObject } from '../../shared/apimachinery/object.ts';
import { readBoundObjectsFrom } from '../../shared/authentication/service-account/bound-objects.ts';
import { createAuthorization } from '../../shared/authorization/create-authorizer.ts';
import { requireAllowed } from '../../shared/authorization/forbidden.ts';
import { requestAttributes } from '../../shared/authorization/request-attributes.ts';
import { createResourceHandler } from '../../shared/endpoints/create-resource-handler.ts';
import { OpenApiHandler } from '../../shared/endpoints/openapi/openapi-handler.ts';
import type { EndpointEnvironment } from '../../shared/endpoints/request/endpoint-environment.ts';
import { createErrorWriter } from '../../shared/endpoints/responders/write-error.ts';
import { createLogger, type LogFormat } from '../../shared/observability/logger.ts';
import type { RestResources } from '../../shared/registry/create-rest-resources.ts';
import { decodeStored } from '../../shared/serializer/codec.ts';
import { offeredMediaTypes } from '../../shared/serializer/negotiate.ts';
import { BackendReporter } from '../../shared/server/backend-reporter.ts';
import { controlStreamPath } from '../../shared/server/control-stream.ts';
import type { ProcessOptions } from '../../shared/server/data-directory.ts';
import { HealthChecks } from '../../shared/server/health.ts';
import { internalListener } from '../../shared/server/internal-listener.ts';
import { openAuthentication } from '../../shared/server/open-authentication.ts';
import { openStorage } from '../../shared/server/open-storage.ts';
import { effectiveVersion } from '../../shared/server/options/effective-version.ts';
import {
  featureGates,
  servesCbor,
  servesShards,
  showsStorageHashes,
} from '../../shared/server/options/feature-gates.ts';
import { PathMux } from '../../shared/server/path-mux.ts';
import type { ProcessBody } from '../../shared/server/process-link.ts';
import { startServer } from '../../shared/server/start-server.ts';
import type { ServerOptions } from '../../shared/server/options/server-options.ts';
import { isServed } from '../../shared/server/options/serving-choice.ts';
import { versionInfo } from '../../shared/server/options/version-info.ts';
import { DefinitionControllers } from './controllers/definition-controllers.ts';
import { removeInstances } from './controllers/remove-instances.ts';
import { DefinitionFeed } from './crds/definition-feed.ts';
import { createDefinitionResources } from './crds/definition-store.ts';
import { customResourceAdmission } from './custom-resource-admission.ts';
import { CustomResources } from './custom-resources.ts';
import { extensionsGroup } from './facts/extension-facts.ts';
import { extensionsHandler } from './extensions-handler.ts';
import { ExtensionsOpenApi } from './openapi/extensions-openapi.ts';
import { createSchemaCompiler } from './compile-schema.ts';
import { useRulesOf } from './rules/rule-release.ts';
import { servedGroupVersions, whenDiscoveryChanges } from './served-group-versions.ts';

const maxBodyBytes = 3 * 1024 * 1024;

/** Puts the extensions server together and opens its internal listener. It serves once the definitions are known. */
export async function startExtensions({ server: options, sockets }: ProcessOptions): Promise<ProcessBody> {
  useRulesOf(effectiveVersion(options).minCompatibility);
  const facts = loadFacts();
  const logger = createLogger({ level: options.v, format: options.loggingFormat as LogFormat });
  const storage = openStorage({ server: options, sockets });
  const { rest, store } = createDefinitionResources(facts, storage, isServed(options, facts), (message, error) =>
    logger.error(message, error),
  );
  const authentication = openAuthentication(
    options,
    readBoundObjectsFrom(storage, (value) => asKubeObject(decodeStored(facts, value).object)),
    logger,
  );
  const authorization = createAuthorization({
    modes: options.authorizationMode,
    caches: rest.caches,
    gates: featureGates(options).gates,
  });
  const admission = customResourceAdmission(options, rest.caches, storage);
  const health = new HealthChecks(options.livezGracePeriod, (hook, error) =>
    logger.error('PostStartHook failed', error, { hook }),
  );
  const feed = new DefinitionFeed(store);
  const reporter = new BackendReporter('extensions', servedGroupVersions(facts, []), health);
  const mux = new PathMux();
  mux.handle(controlStreamPath, reporter.source.handler);
  const storesCbor = servesCbor(options);
  const environment: Omit<EndpointEnvironment, 'resources'> = {
    facts: rest.facts,
    admission,
    maxBodyBytes,
    mediaTypes: offeredMediaTypes(storesCbor),
    minRequestTimeoutSeconds: options.minRequestTimeout,
    deleteCollectionWorkers: options.deleteCollectionWorkers,
    wholeAtZero: options.watchCache,
    shards: servesShards(options),
    authorizeVerb: (context, verb) =>
      requireAllowed(authorization.authorizer, requestAttributes(context.user, { ...context.info, verb })),
  };
  const definitions = createResourceHandler({ ...environment, resources: rest });
  const customResources = new CustomResources({
    ...environment,
    storage,
    feed,
    storesCbor,
    garbageCollection: options.enableGarbageCollector,
    compile: createSchemaCompiler(facts),
  });
  installOpenApi(mux, rest, customResources, options);
  await storage.ready(options.storageInitializationTimeout);
  await feed.ready;
  let controllers: DefinitionControllers | undefined;
  let generation = 0;
  whenDiscoveryChanges(feed, () =>
    reporter.source.update({ groupVersions: servedGroupVersions(facts, feed.all()), generation: ++generation }),
  );
  const server = await startServer({
    name: 'extensions',
    options,
    mux,
    health,
    logger,
    listeners: [internalListener(options, sockets.extensions)],
    chain: {
      authenticator: authentication.authenticator,
      authorizer: authorization.authorizer,
      apiAudiences: authentication.apiAudiences,
      writeError: createErrorWriter(facts),
    },
    handler: extensionsHandler(rest, definitions, customResources, environment.mediaTypes, showsStorageHashes(options)),
    postStartHooks: {
      'start-apiextensions-informers': () => feed.ready,
      'start-apiextensions-controllers': async () => {
        controllers = new DefinitionControllers(
          store,
          feed,
          (definition) => removeInstances(storage, definition),
          (error) => logger.error('a controller of definitions failed; trying again', error),
        );
      },
      'crd-informer-synced': () => feed.ready,
    },
  });
  await reporter.untilReady();
  return {
    unused: () => server.unused(),
    async shutdown() {
      controllers?.close();
      await reporter.drain();
      await server.shutdown();
      feed.close();
      customResources.close();
      reporter.close();
      authorization.close();
      rest.caches.close();
    },
  };
}

function installOpenApi(
  mux: PathMux,
  rest: RestResources,
  customResources: CustomResources,
  options: ServerOptions,
): void {
  const { facts } = rest;
  const [own] = facts
    .groups()
    .filter(({ name }) => name === extensionsGroup)
    .flatMap(({ versions }) => versions)
    .map(({ group, version, resources }) => ({
      group,
      version,
      resources: resources.filter(({ resource }) => rest.serves(group, version, resource)),
    }));
  if (own === undefined) throw new Error(`the facts do not know ${extensionsGroup}`);
  const openApi = new OpenApiHandler(
    new ExtensionsOpenApi(
      facts,
      own,
      () => customResources.definitions(),
      versionInfo.gitVersion,
      effectiveVersion(options).emulation,
      servesCbor(options),
    ),
  );
  mux.handle('/openapi/v2', (context) => openApi.v2(context));
  mux.handle('/openapi/v3', (context) => openApi.index(context));
  mux.handlePrefix('/openapi/v3/', (context) => openApi.v3(context));
}
