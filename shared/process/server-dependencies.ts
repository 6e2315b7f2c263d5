import { hostname } from 'node:os';
import type { Facts } from '#shared/api/facts.ts';
import type { FeatureGates } from '#shared/api/feature-gates.ts';
import type { Authentication } from '#shared/authentication/create-authenticator.ts';
import { createAuthorization, type AuthorizationSystem } from '#shared/authorization/create-authorizer.ts';
import { openAuthorizers, type OpenedAuthorizers } from '#shared/authorization/open-authorizers.ts';
import type { LeveledLogger } from '#shared/observability/logger.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import { keepNativeBuckets } from '#shared/observability/metrics/native-buckets.ts';
import type { ResourceCaches } from '#shared/registry/resource-caches.ts';
import type { ServerAccess } from '#shared/server/create-api-server.ts';
import { HealthChecks } from '#shared/server/health.ts';
import { openLogger } from '#shared/server/open-logger.ts';
import { featureGates } from '#shared/server/options/feature-gates.ts';
import { logStart } from '#shared/server/options/log-flags.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import { PathMux } from '#shared/server/path-mux.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { openTracing, type Tracing } from '#shared/tracing/open-tracing.ts';
import { logSlowWork } from '#shared/tracing/slow-work/log-slow-work.ts';
import { apiServerId } from './api-server-id.ts';
import type { ProcessOptions, ProcessSockets } from './data-directory.ts';
import { openAuthentication } from './open-authentication.ts';
import { openEgress, type Egress } from './open-egress.ts';
import { openProcessEncryption, type ProcessEncryption } from './open-process-encryption.ts';
import { openStorage } from './open-storage.ts';

/** The parts that every server of the system has, whatever it serves. */
export interface ServerDependencies {
  readonly options: ServerOptions;
  readonly sockets: ProcessSockets;
  readonly facts: Facts;
  readonly gates: FeatureGates;
  readonly logger: LeveledLogger;
  /** How connections to other servers are made. */
  readonly egress: Egress;
  /** Undefined without traces. */
  readonly tracing: Tracing | undefined;
  readonly storage: Storage;
  /** Undefined where nothing is encrypted at rest. */
  readonly encryption: ProcessEncryption | undefined;
  /** The identity of this process in metrics. */
  readonly serverId: string;
  readonly authentication: Authentication;
  /** What decides about requests, by flags or a file. */
  readonly authorizers: OpenedAuthorizers;
  readonly health: HealthChecks;
  /** Fixed paths; health, metrics and `/version` are added when the server starts. */
  readonly mux: PathMux;
  /** Reports errors that reach no client response. */
  readonly reportError: (message: string, error: unknown) => void;
}

export interface ServerDependenciesOptions {
  readonly facts: Facts;
  /** Whether this process compacts the storage; one in the system does. Default: no. */
  readonly compactsStorage?: boolean;
  /** Whether this process may be given tokens: those of clients, or in reviews. Default: yes. */
  readonly knowsIssuers?: boolean;
}

/**
 * Opens storage, authentication and the configuration of authorization by the flags of a process. Does not serve or
 * wait for a connection yet.
 */
export async function openServerDependencies(
  process: ProcessOptions,
  { facts, compactsStorage = false, knowsIssuers = true }: ServerDependenciesOptions,
): Promise<ServerDependencies> {
  const { server: options, sockets } = process;
  const { gates } = featureGates(options);
  keepNativeBuckets(gates.isEnabled('NativeHistograms'));
  const authorizers = await openAuthorizers(options, gates.isEnabled('AuthorizeWithSelectors'));
  const logger = openLogger(options);
  if (process.isPart !== true) logStart(logger, options);
  logSlowWork(logger);
  const serverId = apiServerId(hostname(), process.instance);
  const egress = openEgress(process, logger);
  const dial = egress.selector.dialer('controlplane');
  const tracing = await openTracing({ file: options.tracingConfigFile, instanceId: serverId, dial, logger });
  const encryption = await openProcessEncryption({ options, facts, gates, serverId, logger });
  const health = new HealthChecks(options.livezGracePeriod, (hook, error) =>
    logger.error('PostStartHook failed', error, { hook }),
  );
  for (const check of encryption?.checks ?? []) health.add(check);
  const { socketTo } = egress;
  const storage = openStorage(process, {
    facts,
    compacts: compactsStorage,
    socketTo,
    encrypting: encryption?.encrypting,
  });
  return {
    options,
    sockets,
    facts,
    gates,
    logger,
    egress,
    tracing,
    storage,
    encryption,
    serverId,
    authentication: await openAuthentication(options, {
      storage,
      facts,
      logger,
      egress: egress.selector,
      serverId,
      knowsIssuers,
    }),
    authorizers,
    health,
    mux: new PathMux(),
    reportError: (message, error) => logger.error(message, error),
  };
}

/** Authentication and authorization of a server, as {@link openAccess} creates them. */
export interface ProcessAccess extends AuthorizationSystem, ServerAccess {
  metrics(): readonly Family[];
  close(): void;
}

/**
 * Combines the authentication of the base with the authorizers, which watch their objects.
 */
export function openAccess(
  { options, facts, gates, serverId, authentication, authorizers, egress, logger, ...parts }: ServerDependencies,
  caches: ResourceCaches,
): ProcessAccess {
  const { authenticator, apiAudiences } = authentication;
  const authorization = createAuthorization({
    opened: authorizers,
    dial: egress.selector.dialer('controlplane'),
    policyFile: options.authorizationPolicyFile,
    caches,
    gates,
    knowsKind: (group, version, kind) => facts.schema(group, version, kind) !== undefined,
    serverId,
    logger,
  });
  const metrics = (): Family[] => [
    ...authorization.metrics(),
    ...authentication.metrics(),
    ...egress.selector.metrics(),
    ...(parts.encryption?.metrics() ?? []),
    ...(parts.tracing?.metrics() ?? []),
  ];
  return { authenticator, apiAudiences, ...authorization, metrics };
}

/** Closes what {@link openServerDependencies} opened, once nothing is served any more. */
export async function closeServerDependencies(opened: ServerDependencies): Promise<void> {
  const { authentication, storage, encryption, egress, tracing } = opened;
  authentication.close();
  tracing?.close();
  await storage.close();
  encryption?.close();
  egress.close();
}
