import { setTimeout as sleep } from 'node:timers/promises';
import type { AdmissionChain } from '#shared/admission/contract/admission.ts';
import { createAdmission } from '#shared/admission/create-admission.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import { relationExcerpt } from '#shared/authorization/node/relation-excerpts.ts';
import type { ProcessOptions } from '#shared/process/data-directory.ts';
import { keepDataDirectory } from '#shared/process/keep-data-directory.ts';
import { unixListener } from '#shared/process/listeners/unix-listener.ts';
import { storageSizeMetrics } from '#shared/process/open-storage.ts';
import {
  closeServerDependencies,
  openAccess,
  openServerDependencies,
  type ServerDependencies,
} from '#shared/process/server-dependencies.ts';
import type { RestResources } from '#shared/registry/create-rest-resources.ts';
import type { Exchange } from '#shared/request/exchange.ts';
import type { Handler } from '#shared/request/request-context.ts';
import { openAuditRecorder } from '#shared/server/assembly/open-audit-recorder.ts';
import { openResources } from '#shared/server/assembly/open-resources.ts';
import { openUserRules, type UserRules } from '#shared/server/assembly/open-user-rules.ts';
import { createApiServer, type ApiServer, type OwnApi } from '#shared/server/create-api-server.ts';
import type { OpenListener } from '#shared/server/exchange/listener.ts';
import { Door } from '#shared/server/http/door.ts';
import { tlsListener } from '#shared/server/http/tls.ts';
import { effectiveVersion } from '#shared/server/options/effective-version.ts';
import { servesCbor } from '#shared/server/options/feature-gates.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import { versionInfo } from '#shared/server/options/version-info.ts';
import type { RunningServer } from '#shared/server/start-server.ts';
import { apiServiceDefinition } from './apiservices/api-service-strategy.ts';
import { apiRegistrationGroup } from './apiservices/api-service.ts';
import { openBackends, type Backends } from './backends/open-backends.ts';
import { ClusterMembership } from './cluster-membership.ts';
import { openDebugPages } from './debug/open-debug-pages.ts';
import { openFlowControl } from './flow-control/open-flow-control.ts';
import { tlsListenerOptions } from './gateway-listener.ts';
import { labelSecretsOfCore } from './identity/label-secrets.ts';
import { installLogFiles, logsFolder } from './log-files/log-files.ts';
import { BackendMetrics } from './metrics/backend-metrics.ts';
import { openRouting, type Routing } from './open-routing.ts';
import { createOpenApiHandler } from './openapi/openapi-handler.ts';
import { createPathLister } from './path-index.ts';
import type { PeerParts } from './peers/open-peers.ts';
import type { BackendPool } from './proxy/backend-pool.ts';
import type { RoutingTable } from './proxy/routing-table.ts';
import { renewHandshakes } from './renew-handshakes.ts';
import { createRouter } from './router.ts';
import { ServingCertificates } from './serving-certificates.ts';
import { servingCertificateCheck } from './serving-health.ts';
import { gatewayHooks } from './start-hooks.ts';
import { untilReady } from './until-ready.ts';

export interface RunningGateway {
  /** Port of the public listener. */
  readonly port: number;
  /** Resolves when all checks of /readyz pass. */
  readonly ready: Promise<void>;
  /**
   * Stops serving. Connections to backends and storage end with the process, or by {@link disconnect} (`ProcessBody`).
   */
  shutdown(): Promise<void>;
  disconnect(): Promise<void>;
}

/**
 * The public port is open from the beginning, and connections wait until the gateway is ready: clients whose dials are
 * refused, or whose requests get a 503, come back much later. A gateway whose backends are away serves after this time.
 */
const heldAtMostMs = 5_000;

/** What links a gateway to its launcher. */
export interface GatewayLinks {
  /** Called when the public port is closed. */
  readonly onNotAccepting?: () => void;
  /** Called with each request that a client sends, before it is handled. */
  readonly onRequest?: (exchange: Exchange) => void;
  /** Resolves with whether all processes end, soon after a signal to end. */
  readonly isSystemEnding?: () => Promise<boolean>;
}

/**
 * Creates the gateway and opens its listeners. While its backends are not connected, it answers their requests with
 * 503.
 */
export async function startGateway(process: ProcessOptions, links: GatewayLinks = {}): Promise<RunningGateway> {
  const door = await openDoor(process);
  const base = await openServerDependencies(process, { facts: loadFacts() });
  const forgetDataDirectory = keepDataDirectory(base);
  const { options, authentication, logger } = base;
  const resources = gatewayResources(base);
  const flow = openFlowControl(base, resources.caches);
  const backends = openBackends(base, flow?.tellObjects);
  const access = openAccess(base, resources.caches);
  const routing = openRouting(base, resources, backends);
  const { registration, remote, merger } = routing;
  authentication.legacyUses.writeBy(labelSecretsOfCore(backends.core.pool));
  const parts = { caches: resources.caches, backends, routing };
  const membership = new ClusterMembership(base, { process, ...parts, isSystemEnding: links.isSystemEnding });
  installOpenApi(base, resources, backends, routing);
  if (options.enableLogsHandler) installLogFiles(base.mux, logsFolder);
  const serving = openServing(base);
  const rules = openUserRules({ ...base, resources, authorizer: access.authorizer });
  const server = createApiServer({
    ...base,
    name: 'gateway',
    resources,
    admission: gatewayAdmission(options, resources, rules),
    access,
    auditing: openAuditRecorder({ options, logger, egress: base.egress.selector }),
    flowControl: flow?.flowControl,
    debugPages: openDebugPages(base, backends),
    api: (own) => gatewayHandler(own, backends, routing, membership.peers),
    postStartHooks: gatewayHooks({ registration, membership, remote, rules, flow }),
    preShutdownHooks: membership.preShutdownHooks,
    metricsMerger: new BackendMetrics([backends.core.pool, backends.extensions.pool]),
    metrics: [
      ...storageSizeMetrics(process, base.storage, base.egress.socketTo),
      ...[remote, merger, membership].flatMap((part) => part.metrics()),
      ...(flow?.metrics ?? []),
    ],
    close() {
      forgetDataDirectory();
      for (const part of [flow, membership, rules, registration, remote, serving]) part?.close();
    },
  });
  flow?.countOwn(server.objectCounts);
  await rules.loadManifests();
  const ready = Promise.withResolvers<void>();
  const running = await listen(server, base, serving, { ...links, door, ready: ready.promise });
  ready.resolve(untilReady(base, backends, registration, access));
  return {
    port: running.listeners[0]?.port ?? 0,
    ready: ready.promise,
    shutdown: () => shutDown(base, membership, running),
    async disconnect() {
      backends.close();
      await closeServerDependencies(base);
    },
  };
}

function gatewayAdmission(flags: ServerOptions, { caches }: RestResources, { plugins }: UserRules): AdmissionChain {
  return createAdmission({ flags, namespaces: caches.cache('', 'namespaces'), plugins });
}

async function shutDown(
  { tracing }: ServerDependencies,
  membership: ClusterMembership,
  running: RunningServer,
): Promise<void> {
  await Promise.all([membership.resign(), running.shutdown()]);
  await tracing?.flush();
}

interface PublicPort extends Pick<GatewayLinks, 'onNotAccepting' | 'onRequest'> {
  readonly door: Door;
  /** The port is served from then on. */
  readonly ready: Promise<void>;
}

/** Opens the listeners of clients and of backends. */
async function listen(
  server: ApiServer,
  { options, sockets, authentication, logger }: ServerDependencies,
  serving: ServingCertificates,
  { door, ready, onNotAccepting, onRequest }: PublicPort,
): Promise<RunningServer> {
  const servesAfter = Promise.race([ready, sleep(heldAtMostMs, undefined, { ref: false })]);
  const publicListener = tlsListenerOptions(options, authentication, serving, logger);
  const running = await server.listen([
    watched(tlsListener({ ...publicListener, door, servesAfter, onNotAccepting }), onRequest),
    unixListener(sockets.gateway),
  ]);
  renewHandshakes(running.listeners[0], serving, authentication, logger);
  return running;
}

function watched(open: OpenListener, onRequest: PublicPort['onRequest']): OpenListener {
  if (onRequest === undefined) return open;
  return (onExchange) =>
    open((exchange) => {
      onRequest(exchange);
      onExchange(exchange);
    });
}

/** Reads the serving certificates, and adds the health check of the usual one. */
function openServing({ options, health, reportError }: ServerDependencies): ServingCertificates {
  const serving = new ServingCertificates(options, (error) =>
    reportError('the serving certificate stays as it was', error),
  );
  health.add(servingCertificateCheck(options, () => serving.usual.cert));
  return serving;
}

/** Opens the public port, or takes over the socket of the launcher, which has it open already. */
async function openDoor({ server, publicSocket }: ProcessOptions): Promise<Door> {
  const { bindAddress: host, securePort: port, permitPortSharing: reusePort } = server;
  const door = new Door({ host, port, reusePort, fd: publicSocket });
  await door.open();
  return door;
}

/** The gateway's own resource, APIServices, and the fields that it reads of other servers' objects. */
function gatewayResources(dependencies: ServerDependencies): RestResources {
  return openResources(dependencies, {
    definitions: [apiServiceDefinition],
    servesGroup: (group) => group === apiRegistrationGroup,
    excerptOf: relationExcerpt,
  });
}

/** Serves the OpenAPI documents of all servers, and adds their paths to the index at `/`. */
function installOpenApi(
  { options, facts, mux, logger }: ServerDependencies,
  resources: RestResources,
  { core, extensions }: Backends,
  { ownVersion, routes, remote }: Routing,
): void {
  const openApi = createOpenApiHandler({
    facts,
    own: { ...ownVersion, resources: resources.served().map((resource) => resource.facts) },
    core: core.pool,
    extensions: extensions.pool,
    remote: remote.openApi,
    forwardRemote: (request, name) => remote.forward(request, name),
    poolOf: (group, version) => poolOf(routes.table, group, version),
    apiVersion: effectiveVersion(options).emulation,
    build: versionInfo.gitVersion,
    cbor: servesCbor(options),
    logger,
  });
  mux.handle('/openapi/v2', openApi);
  mux.handle('/openapi/v3', openApi);
  mux.handlePrefix('/openapi/v3/', openApi);
  mux.addPathLister(createPathLister([core.pool, extensions.pool], () => routes.table));
}

function poolOf(table: RoutingTable, group: string, version: string): BackendPool | undefined {
  const route = table.find(group, version);
  return route?.kind === 'backend' ? route.pool : undefined;
}

/** The handler that routes by group version and serves APIServices itself. */
function gatewayHandler(
  { discovery, resources }: OwnApi,
  { core, extensions }: Backends,
  { ownVersion, routes, remote, merger }: Routing,
  peers: PeerParts | undefined,
): Handler {
  const router = createRouter({
    discovery,
    merged: peers?.discovery ?? merger,
    ownHandler: resources,
    ownVersion,
    remote,
    fallback: core.pool,
    definitions: extensions.pool,
    table: () => routes.table,
    complete: () => core.known && extensions.known,
  });
  const counted = peers?.discovery.counting(router) ?? router;
  return peers?.peers?.filter(counted) ?? counted;
}
