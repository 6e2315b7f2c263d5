import { factsAsOf } from '../../shared/api/emulated-facts.ts';
import { loadFacts } from '../../shared/api/load-facts.ts';
import { asKubeObject } from '../../shared/apimachinery/object.ts';
import { readBoundObjectsFrom } from '../../shared/authentication/service-account/bound-objects.ts';
import { createAuthorization } from '../../shared/authorization/create-authorizer.ts';
import { requireAllowed } from '../../shared/authorization/forbidden.ts';
import { requestAttributes } from '../../shared/authorization/request-attributes.ts';
import { createResourceHandler } from '../../shared/endpoints/create-resource-handler.ts';
import { createErrorWriter } from '../../shared/endpoints/responders/write-error.ts';
import { createLogger, type LogFormat } from '../../shared/observability/logger.ts';
import { decodeStored } from '../../shared/serializer/codec.ts';
import { offeredMediaTypes } from '../../shared/serializer/negotiate.ts';
import { controlStreamPath } from '../../shared/server/control-stream.ts';
import type { ProcessOptions } from '../../shared/server/data-directory.ts';
import { externalAddress } from '../../shared/server/external-address.ts';
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
import { storageChecks } from '../../shared/server/storage-check.ts';
import { coreAdmission } from './admission/core-admission.ts';
import { installFixedPaths } from './fixed-paths.ts';
import { ServiceRepair } from './controllers/service-repair.ts';
import { coreHandler } from './core-handler.ts';
import { CoreState } from './core-state.ts';
import { createCoreResources } from './core-resources.ts';
import { fillCaches } from './fill-caches.ts';
import { useGates } from './gates/gates.ts';
import { useCapabilities } from './apis/core/pods/validation/capabilities.ts';
import { useExpressionsOf } from './validation/expressions.ts';
import { postStartHooks } from './post-start-hooks.ts';

const maxBodyBytes = 3 * 1024 * 1024;

/** Puts the core server together and opens its internal listener. It serves once the bootstrap objects are there. */
export async function startCore({ server: options, sockets }: ProcessOptions): Promise<ProcessBody> {
  const { gates } = featureGates(options);
  useGates(gates);
  useExpressionsOf(effectiveVersion(options).minCompatibility);
  useCapabilities(options);
  const facts = factsAsOf(loadFacts(), effectiveVersion(options));
  const logger = createLogger({ level: options.v, format: options.loggingFormat as LogFormat });
  const storage = openStorage({ server: options, sockets }, true);
  const authentication = openAuthentication(
    options,
    readBoundObjectsFrom(storage, (value) => asKubeObject(decodeStored(facts, value).object)),
    logger,
  );
  const onTrouble = (message: string, error: unknown): void => logger.error(message, error);
  const resources = createCoreResources({ facts, storage, options, authentication, onTrouble });
  const repair = new ServiceRepair(resources.core, resources.allocators, onTrouble);
  const { caches } = resources.rest;
  const authorization = createAuthorization({ modes: options.authorizationMode, caches, gates });
  resources.use(authorization);
  const admission = coreAdmission(options, facts, resources.core, authorization.authorizer);
  const health = new HealthChecks(options.livezGracePeriod, (hook, error) =>
    logger.error('PostStartHook failed', error, { hook }),
  );
  for (const check of storageChecks(storage, options)) health.add(check);
  const namespaces = caches.cache('', 'namespaces');
  health.add({
    name: 'informer-sync',
    endpoints: ['readyz'],
    check: () => (authorization.isReady() && namespaces.isReady() ? undefined : 'caches are being filled'),
  });
  const address = externalAddress(options);
  const mux = new PathMux();
  installFixedPaths(mux, { facts, rest: resources.rest, authentication, options, address });
  const state = new CoreState(resources.rest, health);
  mux.handle(controlStreamPath, state.source.handler);
  const mediaTypes = offeredMediaTypes(servesCbor(options));
  const handler = createResourceHandler({
    resources: resources.rest,
    facts,
    admission,
    maxBodyBytes,
    mediaTypes,
    minRequestTimeoutSeconds: options.minRequestTimeout,
    deleteCollectionWorkers: options.deleteCollectionWorkers,
    wholeAtZero: options.watchCache,
    shards: servesShards(options),
    authorizeVerb: (context, verb) =>
      requireAllowed(authorization.authorizer, requestAttributes(context.user, { ...context.info, verb })),
  });
  await storage.ready(options.storageInitializationTimeout);
  // There may be very many of them, so that nothing waits for this; usually it is done before the server is ready.
  const configMaps = caches.cache('', 'configmaps').ready();
  // Rejects when the server ends before.
  configMaps.catch(() => undefined);
  const hooks = {
    'start-apiserver-admission-initializer': () => namespaces.ready(),
    'generic-apiserver-start-informers': () => authorization.ready(),
    'storage-readiness': () => storage.ready(options.storageInitializationTimeout),
    ...postStartHooks(resources.core, options, authentication, repair),
  };
  const server = await startServer({
    name: 'core',
    options,
    mux,
    health,
    logger,
    listeners: [internalListener(options, sockets.core)],
    chain: {
      authenticator: authentication.authenticator,
      authorizer: authorization.authorizer,
      apiAudiences: authentication.apiAudiences,
      writeError: createErrorWriter(facts),
    },
    handler: coreHandler(resources.rest, handler, address, mediaTypes, showsStorageHashes(options)),
    postStartHooks: hooks,
    metrics: repair.metrics,
  });
  await state.untilReady();
  let over = false;
  configMaps.then(() => fillCaches(resources.rest, () => over)).catch(() => undefined);
  return {
    unused: () => server.unused(),
    async shutdown() {
      over = true;
      await state.drain();
      await server.shutdown();
      state.close();
      authorization.close();
      resources.kubelets.close();
      caches.close();
    },
  };
}
