import { loadFacts } from '../../shared/api/load-facts.ts';
import { invalid, path } from '../../shared/apimachinery/field-error.ts';
import { numberAt } from '../../shared/apimachinery/object.ts';
import { createResourceHandler } from '../../shared/endpoints/create-resource-handler.ts';
import { versionsServedBy } from '../../shared/endpoints/discovery/registered-versions.ts';
import { serveDiscovery } from '../../shared/endpoints/discovery/serve-discovery.ts';
import { OpenApiDocuments } from '../../shared/endpoints/openapi/openapi-documents.ts';
import { createErrorWriter } from '../../shared/endpoints/responders/write-error.ts';
import { createRestResources } from '../../shared/registry/create-rest-resources.ts';
import { defineResource } from '../../shared/registry/define-resource.ts';
import { endpointSettings } from '../../shared/server/assembly/endpoint-settings.ts';
import { installOpenApi } from '../../shared/server/assembly/open-api-paths.ts';
import { openDiscovery } from '../../shared/server/assembly/open-discovery.ts';
import { tlsListener } from '../../shared/server/http/tls.ts';
import { resolveServerOptions } from '../../shared/server/options/server-options.ts';
import { PathMux } from '../../shared/server/path-mux.ts';
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
    validate: (object) => {
      const grams = numberAt(object, 'spec', 'grams') ?? 0;
      return grams < 0 ? [invalid(path('spec', 'grams'), grams, 'must not be negative')] : [];
    },
  },
});

const noAdmission = { plugins: [], handles: () => false, admit: async () => {}, validate: async () => {} };

/** An extension API server: one resource in memory, everything else from the library. */
export async function startSample({ api, cert, key, port, host }: SampleOptions): Promise<SampleServer> {
  const options = resolveServerOptions();
  const facts = fruitFacts(loadFacts());
  const storage = new MemoryStorage();
  const resources = createRestResources({ facts, storage, definitions: [definition], servesGroup: () => true });
  const versions = versionsServedBy(resources);
  const access = await requestHeaderAccess(api);
  const authorizer = delegatedAuthorizer(api);
  const mux = new PathMux();
  installOpenApi(
    mux,
    new OpenApiDocuments({ facts, describe: () => undefined, apiVersion: 'sample' }, versions, 'sample'),
  );
  const server = await startServer({
    name: 'sample-apiserver',
    options,
    mux,
    listeners: [tlsListener({ host, port, cert, key, clientCas: () => [access.clientCa] })],
    chain: {
      authenticator: access.authenticator,
      authorizer,
      apiAudiences: [],
      writeError: createErrorWriter(facts),
    },
    handler: serveDiscovery(
      { handler: openDiscovery(options, facts), registered: () => versions },
      createResourceHandler({
        ...endpointSettings({ options, facts, admission: noAdmission, authorizer }),
        resources,
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
