import type { AdmissionChain } from '#shared/admission/contract/admission.ts';
import type { Facts } from '#shared/api/facts.ts';
import { versionsServedBy } from '#shared/endpoints/discovery/registered-versions.ts';
import { OpenApiDocuments } from '#shared/endpoints/openapi/openapi-documents.ts';
import type { ResourceDefinition } from '#shared/registry/define-resource.ts';
import { openAuditRecorder } from '#shared/server/assembly/open-audit-recorder.ts';
import { openResources } from '#shared/server/assembly/open-resources.ts';
import { createApiServer } from '#shared/server/create-api-server.ts';
import { tlsListener } from '#shared/server/http/tls.ts';
import { openLogger } from '#shared/server/open-logger.ts';
import { resolveServerOptions, type ServerOptions } from '#shared/server/options/server-options.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { apiCaller, type ApiAccess } from './api-access.ts';
import { delegatedAuthentication } from './delegated-authentication.ts';
import { delegatedAuthorizer } from './delegated-authorizer.ts';

export interface ExtensionServerOptions {
  /** For logs and OpenAPI documents. */
  readonly name: string;
  /** Access to the API server that is extended. */
  readonly api: ApiAccess;
  /** The facts of the served resources, for example from `declaredFacts`. */
  readonly facts: Facts;
  readonly definitions: readonly ResourceDefinition[];
  readonly storage: Storage;
  readonly listen: {
    readonly host: string;
    /** 0 chooses a free port. */
    readonly port: number;
    readonly cert: string;
    readonly key: string;
  };
  /** Default: no admission; only the strategies check and change objects. */
  readonly admission?: AdmissionChain;
  /** Default: those of kube-apiserver. */
  readonly options?: ServerOptions;
}

export interface RunningExtensionServer {
  readonly port: number;
  close(): Promise<void>;
}

const noAdmission: AdmissionChain = {
  plugins: [],
  handles: () => false,
  admit: async () => undefined,
  validate: async () => undefined,
};

/**
 * Starts a server that an APIService registers: the whole chain, discovery, OpenAPI and every verb of its resources.
 * The identity of a request comes from the gateway's headers; authorization is delegated to the API server. Rejects if
 * the API server cannot be reached.
 */
export async function startExtensionServer({
  name,
  api,
  facts,
  definitions,
  storage,
  listen,
  admission = noAdmission,
  options = resolveServerOptions(),
}: ExtensionServerOptions): Promise<RunningExtensionServer> {
  const call = apiCaller(api);
  const { authenticator, clientCa } = await delegatedAuthentication(call);
  const resources = openResources({ options, facts, storage }, { definitions, servesGroup: () => true });
  const documented = { facts, describe: () => undefined, apiVersion: name };
  const logger = openLogger(options);
  const server = createApiServer({
    name,
    options,
    logger,
    auditing: openAuditRecorder({ options, logger }),
    resources,
    admission,
    access: { authenticator, authorizer: delegatedAuthorizer(call), apiAudiences: [] },
    documents: new OpenApiDocuments(documented, versionsServedBy(resources), name),
  });
  const running = await server.listen([tlsListener({ ...listen, clientCas: () => [clientCa] })]);
  return { port: running.listeners[0]?.port ?? 0, close: () => running.shutdown() };
}
