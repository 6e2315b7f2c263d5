import type { Facts } from '#shared/api/facts.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import { BackendReporter } from '#shared/process/backend-reporter.ts';
import type { ProcessOptions } from '#shared/process/data-directory.ts';
import type { ProcessBody } from '#shared/process/end-gracefully.ts';
import { openAccess, openServerDependencies } from '#shared/process/server-dependencies.ts';
import { startBackend } from '#shared/process/start-backend.ts';
import { handlerDependencies } from '#shared/server/assembly/handler-dependencies.ts';
import { openUserRules } from '#shared/server/assembly/open-user-rules.ts';
import { createApiServer } from '#shared/server/create-api-server.ts';
import { checksCaches, servesCbor } from '#shared/server/options/feature-gates.ts';
import { malformedObjectsOf } from '#shared/server/options/malformed-objects-of.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import { createSchemaCompiler } from './compile-schema.ts';
import { DefinitionControllers } from './controllers/definition-controllers.ts';
import type { RemoveInstances } from './controllers/finalizing.ts';
import { removeInstances } from './controllers/remove-instances.ts';
import { conversionCaller } from './conversion/call-conversion-webhook.ts';
import { DefinitionFeed } from './crds/definition-feed.ts';
import { createDefinitionResources } from './crds/definition-store.ts';
import { CustomParams } from './custom-params.ts';
import { customResourceAdmission } from './custom-resource-admission.ts';
import { CustomResources, type CustomResourcesOptions } from './custom-resources.ts';
import { extensionsDocuments } from './openapi/extensions-documents.ts';
import { servedGroupVersions, whenDiscoveryChanges } from './served-group-versions.ts';
import { withCustomResources } from './with-custom-resources.ts';

/** How custom resources are stored and cached, by the flags. */
function storedAs(
  options: ServerOptions,
): Pick<CustomResourcesOptions, 'storesCbor' | 'garbageCollection' | 'malformed' | 'checksCaches'> {
  return {
    storesCbor: servesCbor(options),
    garbageCollection: options.enableGarbageCollector,
    malformed: malformedObjectsOf(options),
    checksCaches: checksCaches(options),
  };
}

/** Assembles the extensions server and opens its internal listener. It is ready once it has read the definitions. */
export async function startExtensions(process: ProcessOptions): Promise<ProcessBody> {
  const options = process.server;
  const base = await openServerDependencies(process, { facts: loadFacts(), knowsIssuers: false });
  const { facts, storage, logger, reportError } = base;
  const { rest, store } = createDefinitionResources(base);
  const access = openAccess(base, rest.caches);
  const feed = new DefinitionFeed(store);
  const params = new CustomParams();
  const rules = openUserRules({ ...base, resources: rest, authorizer: access.authorizer, others: params });
  const admission = customResourceAdmission(options, rest.caches, storage, rules.plugins);
  const customResources = new CustomResources({
    ...handlerDependencies({ options, facts: rest.facts, admission, authorizer: access.authorizer }),
    // Single custom resources have no size of their own.
    wholeAtZero: () => options.watchCache,
    storage,
    feed,
    ...storedAs(options),
    compile: createSchemaCompiler(facts),
    callConversionWebhook: conversionCaller(rules.client),
    reportError,
  });
  params.serve(customResources);
  let controllers: DefinitionControllers | undefined;
  const startControllers = (): void => {
    const remove: RemoveInstances = (definition) => removeInstances(storage, definition);
    controllers = new DefinitionControllers(store, feed, remove, (error) =>
      logger.error('a controller of definitions failed; trying again', error),
    );
  };
  const server = createApiServer({
    ...base,
    name: 'extensions',
    resources: rest,
    admission,
    access,
    documents: extensionsDocuments(
      rest,
      () => customResources.definitions(),
      options,
      (message, error) => logger.error(message, error),
    ),
    api: (own) => withCustomResources(own, customResources),
    alsoCounted: () => customResources.counted(),
    postStartHooks: {
      'start-apiextensions-informers': async () => void (await Promise.all([feed.ready, rules.ready()])),
      'start-apiextensions-controllers': async () => startControllers(),
      'crd-informer-synced': () => feed.ready,
    },
    close() {
      for (const part of [rules, feed, customResources]) part.close();
    },
  });
  const reporter = new BackendReporter('extensions', servedGroupVersions(facts, []), base.health);
  await rules.loadManifests();
  await storage.ready(options.storageInitializationTimeout);
  await reportVersions(reporter, feed, facts);
  return startBackend(base, server, { name: 'extensions', reporter, stopWork: () => controllers?.close() });
}

/**
 * Tells the gateways once the definitions are read, and after each change of one, which group versions are served.
 */
async function reportVersions(reporter: BackendReporter, feed: DefinitionFeed, facts: Facts): Promise<void> {
  await feed.ready;
  let generation = 0;
  whenDiscoveryChanges(feed, () =>
    reporter.source.update({ groupVersions: servedGroupVersions(facts, feed.all()), generation: ++generation }),
  );
}
