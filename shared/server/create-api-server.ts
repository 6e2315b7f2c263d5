import type { AdmissionChain } from '#shared/admission/contract/admission.ts';
import { createResourceHandler } from '#shared/endpoints/create-resource-handler.ts';
import type { DiscoveryHandler } from '#shared/endpoints/discovery/discovery-handler.ts';
import { versionsServedBy, type BuiltInVersion } from '#shared/endpoints/discovery/registered-versions.ts';
import { serveDiscovery } from '#shared/endpoints/discovery/serve-discovery.ts';
import type { DocumentSource } from '#shared/endpoints/openapi/openapi-handler.ts';
import { createErrorWriter } from '#shared/endpoints/responders/write-error.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import type { RestResources } from '#shared/registry/create-rest-resources.ts';
import { ObjectCounts, type CountedResource } from '#shared/registry/object-counts.ts';
import type { Handler } from '#shared/request/request-context.ts';
import { handlerDependencies } from './assembly/handler-dependencies.ts';
import { openDiscovery } from './assembly/open-discovery.ts';
import type { ChainDependencies } from './build-handler-chain.ts';
import type { OpenListener } from './exchange/listener.ts';
import { objectCountMetrics } from './metrics/object-count-metrics.ts';
import { installOpenApi } from './open-api-paths.ts';
import { featureGates } from './options/feature-gates.ts';
import { PathMux } from './path-mux.ts';
import { startServer, type RunningServer, type StartServerOptions } from './start-server.ts';

/** Authentication and authorization of a server. */
export interface ServerAccess extends Omit<ChainDependencies, 'writeError'> {
  metrics?(): readonly Family[];
  /** Ends the watches that keep it current; called after the last request has been served. */
  close?(): void;
}

export interface ApiServerOptions extends Omit<StartServerOptions, 'listeners' | 'chain' | 'handler'> {
  /** The resources to serve; closed with the server. */
  readonly resources: RestResources;
  readonly admission: AdmissionChain;
  readonly access: ServerAccess;
  /**
   * The OpenAPI documents of everything that is served. Without them the server serves no such documents, unless `mux`
   * has paths for them.
   */
  readonly documents?: DocumentSource;
  /** Host and port that `/api` advertises; without them the server has no core group. */
  readonly serverAddress?: string;
  /** Combines discovery and resources with other handlers. Default: discovery, then the resources. */
  readonly api?: (own: OwnApi) => Handler;
  /** Further resources whose objects are counted. Default: only {@link resources}. */
  readonly alsoCounted?: () => Iterable<CountedResource>;
  /**
   * Closes anything else that requests need; called after the last request has been served, before access and resources
   * are closed.
   */
  readonly close?: () => void;
}

/** The parts of the API for the server's own resources. */
export interface OwnApi {
  readonly discovery: DiscoveryHandler;
  /** The served group versions; they never change. */
  readonly versions: readonly BuiltInVersion[];
  /** Handles every verb of every resource. */
  readonly resources: Handler;
}

export interface ApiServer {
  /** Opens the listeners and runs the post-start hooks. Rejects when a listener cannot be opened. */
  listen(listeners: readonly OpenListener[]): Promise<RunningServer>;
  /** Undefined if `--etcd-count-metric-poll-period` is 0. */
  readonly objectCounts: ObjectCounts | undefined;
}

/**
 * Assembles an API server: the whole chain, discovery, OpenAPI, health checks, metrics, and every verb of its
 * resources. Nothing is served before it listens.
 */
export function createApiServer(options: ApiServerOptions): ApiServer {
  const { resources, access, documents, close, mux = new PathMux() } = options;
  const handler = apiHandler(options);
  if (documents !== undefined) installOpenApi(mux, documents);
  const objectCounts = countsOf(options);
  return {
    objectCounts,
    async listen(listeners) {
      const { authenticator, authorizer, apiAudiences } = access;
      const writeError = createErrorWriter(resources.facts);
      const chain: ChainDependencies = { authenticator, authorizer, apiAudiences, writeError };
      const counts = countMetrics(options, objectCounts);
      const metrics = [...(options.metrics ?? []), ...counts, ...(access.metrics?.() ?? [])];
      const running = await startServer({ ...options, metrics, mux, listeners, handler, chain });
      const end = async (): Promise<void> => {
        await running.shutdown();
        close?.();
        access.close?.();
        resources.caches.close();
      };
      let ending: Promise<void> | undefined;
      return { ...running, shutdown: () => (ending ??= end()) };
    },
  };
}

function countsOf({ options, resources, alsoCounted }: ApiServerOptions): ObjectCounts | undefined {
  const periodMs = options.etcdCountMetricPollPeriod;
  if (periodMs === 0) return undefined;
  const counted = (): Iterable<CountedResource> =>
    alsoCounted === undefined ? resources.counted : [...resources.counted, ...alsoCounted()];
  return new ObjectCounts(counted, periodMs);
}

function countMetrics({ options }: ApiServerOptions, counts: ObjectCounts | undefined): readonly Family[] {
  if (counts === undefined) return [];
  return objectCountMetrics(counts, featureGates(options).gates.isEnabled('SizeBasedListCostEstimate'));
}

/** The handler of all requests that no fixed path handles. */
function apiHandler({ options, resources, admission, access, serverAddress, api }: ApiServerOptions): Handler {
  const { facts } = resources;
  const settings = handlerDependencies({ options, facts, admission, authorizer: access.authorizer });
  const own: OwnApi = {
    discovery: openDiscovery(options, facts),
    versions: versionsServedBy(resources),
    resources: createResourceHandler({ ...settings, resources }),
  };
  if (api !== undefined) return api(own);
  return serveDiscovery(
    {
      handler: own.discovery,
      registered: () => own.versions,
      ...(serverAddress === undefined ? {} : { serverAddress }),
    },
    own.resources,
  );
}
