import { loadFacts } from '../../shared/api/load-facts.ts';
import { createResourceHandler } from '../../shared/endpoints/create-resource-handler.ts';
import type { RegisteredVersion } from '../../shared/endpoints/discovery/api-group-discovery.ts';
import { versionsServedBy } from '../../shared/endpoints/discovery/registered-versions.ts';
import { serveDiscovery } from '../../shared/endpoints/discovery/serve-discovery.ts';
import type { RestResources } from '../../shared/registry/create-rest-resources.ts';
import type { Handler } from '../../shared/request/request-context.ts';
import { endpointSettings } from '../../shared/server/assembly/endpoint-settings.ts';
import { installOpenApi } from '../../shared/server/assembly/open-api-paths.ts';
import { openDiscovery } from '../../shared/server/assembly/open-discovery.ts';
import { openAuthorization, openServerBase } from '../../shared/process/server-base.ts';
import { startBackend } from '../../shared/process/start-backend.ts';
import { BackendReporter } from '../../shared/process/backend-reporter.ts';
import type { ProcessOptions } from '../../shared/process/data-directory.ts';
import { effectiveVersion } from '../../shared/server/options/effective-version.ts';
import { servesCbor } from '../../shared/server/options/feature-gates.ts';
import type { ServerOptions } from '../../shared/server/options/server-options.ts';
import { isServed } from '../../shared/server/options/serving-choice.ts';
import { versionInfo } from '../../shared/server/options/version-info.ts';
import type { ProcessBody } from '../../shared/process/process-link.ts';
import { createSchemaCompiler } from './compile-schema.ts';
import { DefinitionControllers } from './controllers/definition-controllers.ts';
import { removeInstances } from './controllers/remove-instances.ts';
import { DefinitionFeed } from './crds/definition-feed.ts';
import { createDefinitionResources } from './crds/definition-store.ts';
import { customResourceAdmission } from './custom-resource-admission.ts';
import { CustomResources } from './custom-resources.ts';
import { extensionsGroup } from './facts/extension-facts.ts';
import { ExtensionsOpenApi } from './openapi/extensions-openapi.ts';
import { servedGroupVersions, whenDiscoveryChanges } from './served-group-versions.ts';

/** Assembles the extensions server and opens its internal listener. It is ready when the definitions are known. */
export async function startExtensions(process: ProcessOptions): Promise<ProcessBody> {
  const options = process.server;
  const base = openServerBase(process, { facts: loadFacts() });
  const { facts, storage, logger } = base;
  const { rest, store } = createDefinitionResources(base, isServed(options, facts));
  const authorization = openAuthorization(base, rest.caches);
  const feed = new DefinitionFeed(store);
  const settings = endpointSettings({
    options,
    facts: rest.facts,
    admission: customResourceAdmission(options, rest.caches, storage),
    authorizer: authorization.authorizer,
  });
  const customResources = new CustomResources({
    ...settings,
    storage,
    feed,
    storesCbor: servesCbor(options),
    garbageCollection: options.enableGarbageCollector,
    compile: createSchemaCompiler(facts),
  });
  installOpenApi(base.mux, extensionsDocuments(rest, customResources, options));
  const reporter = new BackendReporter('extensions', servedGroupVersions(facts, []), base.health);
  await storage.ready(options.storageInitializationTimeout);
  await feed.ready;
  let generation = 0;
  whenDiscoveryChanges(feed, () =>
    reporter.source.update({ groupVersions: servedGroupVersions(facts, feed.all()), generation: ++generation }),
  );
  let controllers: DefinitionControllers | undefined;
  return startBackend(base, {
    name: 'extensions',
    authorization,
    reporter,
    handler: extensionsHandler(options, rest, createResourceHandler({ ...settings, resources: rest }), customResources),
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
    stopWork: () => controllers?.close(),
    close() {
      feed.close();
      customResources.close();
      rest.caches.close();
    },
  });
}

/** The handlers of definitions, of custom resources, and of the discovery of both. */
function extensionsHandler(
  options: ServerOptions,
  rest: RestResources,
  definitions: Handler,
  customResources: CustomResources,
): Handler {
  const own = versionsServedBy(rest);
  let made: { readonly custom: readonly RegisteredVersion[]; readonly all: readonly RegisteredVersion[] } | undefined;
  const registered = (): readonly RegisteredVersion[] => {
    const custom = customResources.registered();
    if (made?.custom !== custom) made = { custom, all: [...own, ...custom] };
    return made.all;
  };
  return serveDiscovery({ handler: openDiscovery(options, rest.facts), registered }, (context) =>
    context.info.apiGroup === extensionsGroup ? definitions(context) : customResources.handler(context),
  );
}

function extensionsDocuments(
  rest: RestResources,
  customResources: CustomResources,
  options: ServerOptions,
): ExtensionsOpenApi {
  const [own] = rest.facts
    .groups()
    .filter(({ name }) => name === extensionsGroup)
    .flatMap(({ versions }) => versions)
    .map(({ group, version, resources }) => ({
      group,
      version,
      resources: resources.filter(({ resource }) => rest.serves(group, version, resource)),
    }));
  if (own === undefined) throw new Error(`the facts do not know ${extensionsGroup}`);
  return new ExtensionsOpenApi({
    facts: rest.facts,
    own,
    definitions: () => customResources.definitions(),
    build: versionInfo.gitVersion,
    apiVersion: effectiveVersion(options).emulation,
    cbor: servesCbor(options),
  });
}
