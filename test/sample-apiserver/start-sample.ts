import { loadFacts } from '../../shared/api/load-facts.ts';
import { createResourceHandler } from '../../shared/endpoints/create-resource-handler.ts';
import { DiscoveryHandler } from '../../shared/endpoints/discovery/discovery-handler.ts';
import { RegisteredDiscovery } from '../../shared/endpoints/discovery/registered-discovery.ts';
import { registeredVersions } from '../../shared/endpoints/discovery/registered-versions.ts';
import { OpenApiDocuments } from '../../shared/endpoints/openapi/openapi-documents.ts';
import { OpenApiHandler } from '../../shared/endpoints/openapi/openapi-handler.ts';
import { createErrorWriter } from '../../shared/endpoints/responders/write-error.ts';
import { invalid, path } from '../../shared/apimachinery/field-error.ts';
import { numberAt } from '../../shared/apimachinery/object.ts';
import { createLogger } from '../../shared/observability/logger.ts';
import { createRestResources } from '../../shared/registry/create-rest-resources.ts';
import { defineResource } from '../../shared/registry/define-resource.ts';
import type { Handler } from '../../shared/request/request-context.ts';
import { resolveServerOptions } from '../../shared/server/options/server-options.ts';
import { PathMux } from '../../shared/server/path-mux.ts';
import { builtinMediaTypes } from '../../shared/serializer/negotiate.ts';
import { startServer } from '../../shared/server/start-server.ts';
import { MemoryStorage } from '../../shared/watchcache/testing/memory-storage.ts';
import type { ApiAccess } from './api-access.ts';
import { delegatedAuthorizer, requestHeaderAccess } from './delegated-access.ts';
import { fruitFacts, fruitGroup } from './fruit-facts.ts';

export interface SampleOptions {
  readonly api: ApiAccess;
  readonly cert: string;
  readonly key: string;
  /** 0 for a free one. */
  readonly port: number;
  readonly host: string;
}

export interface SampleServer {
  readonly port: number;
  close(): Promise<void>;
}

const definition = defineResource({
  group: fruitGroup,
  resource: 'fruits',
  strategy: {
    validate: (_context, object) => {
      const grams = numberAt(object, 'spec', 'grams') ?? 0;
      return grams < 0 ? [invalid(path('spec', 'grams'), grams, 'must not be negative')] : [];
    },
  },
});

/** An extension API server: one resource in memory, everything else from the library. */
export async function startSample({ api, cert, key, port, host }: SampleOptions): Promise<SampleServer> {
  const facts = fruitFacts(loadFacts());
  const storage = new MemoryStorage();
  const resources = createRestResources({ facts, storage, definitions: [definition], servesGroup: () => true });
  const access = await requestHeaderAccess(api);
  const writeError = createErrorWriter(facts);
  const mux = new PathMux();
  const openApi = new OpenApiHandler(
    new OpenApiDocuments({ facts, describe: () => undefined, apiVersion: 'sample' }, registered(facts), 'sample'),
  );
  mux.handle('/openapi/v2', (context) => openApi.v2(context));
  mux.handle('/openapi/v3', (context) => openApi.index(context));
  mux.handlePrefix('/openapi/v3/', (context) => openApi.v3(context));
  const server = await startServer({
    name: 'sample-apiserver',
    options: resolveServerOptions(),
    mux,
    logger: createLogger({ level: 0, format: 'text' }),
    listeners: [{ kind: 'tls', tls: { host, port, cert, key, clientCas: () => [access.clientCa] } }],
    chain: { authenticator: access.authenticator, authorizer: delegatedAuthorizer(api), apiAudiences: [], writeError },
    handler: sampleHandler(
      facts,
      createResourceHandler({
        resources,
        facts,
        mediaTypes: builtinMediaTypes,
        maxBodyBytes: 3 * 1024 * 1024,
        minRequestTimeoutSeconds: 1800,
        deleteCollectionWorkers: 1,
        wholeAtZero: true,
        shards: false,
        authorizeVerb: async () => {},
        admission: { plugins: [], handles: () => false, admit: async () => {}, validate: async () => {} },
      }),
    ),
  });
  return {
    port: server.listeners[0]?.port ?? 0,
    async close() {
      await server.shutdown();
      resources.caches.close();
    },
  };
}

function registered(facts: ReturnType<typeof fruitFacts>) {
  return facts.groups().flatMap(({ versions }) => versions);
}

/** Resources, and discovery of what there is. */
function sampleHandler(facts: ReturnType<typeof fruitFacts>, resourceHandler: Handler): Handler {
  const root = new RegisteredDiscovery(registeredVersions(facts, () => true));
  const discovery = new DiscoveryHandler(facts);
  return (context) => {
    if (context.info.isResourceRequest) return resourceHandler(context);
    const [first = '', group = '', version = '', ...more] = context.info.path.split('/').filter((part) => part !== '');
    if (first !== 'apis' || more.length > 0) return resourceHandler(context);
    if (group === '') return discovery.groups(context, root);
    const found = root.find(group, version);
    if (found !== undefined) return discovery.resources(context, found);
    if (version === '' && discovery.group(context, root, group)) return;
    return resourceHandler(context);
  };
}
