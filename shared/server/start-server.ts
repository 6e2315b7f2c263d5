import { factsAsOf } from '#shared/api/emulated-facts.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { AuditRecorder } from '#shared/audit/recorder/audit-trail.ts';
import { InFlightRequests } from '#shared/filters/in-flight.ts';
import type { FlowControl } from '#shared/flowcontrol/flow-control.ts';
import { ReadWriteMetrics } from '#shared/flowcontrol/metrics/read-write-metrics.ts';
import { monotonicClock } from '#shared/flowcontrol/monotonic-clock.ts';
import type { LeveledLogger } from '#shared/observability/logger.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import { startTimeFamily } from '#shared/observability/process-metrics.ts';
import type { DebugPages } from '#shared/observability/profiles/debug-page.ts';
import { connectionScope, runInRequestScope } from '#shared/observability/request-scope.ts';
import { runtimeMetrics } from '#shared/observability/runtime-metrics.ts';
import type { Exchange } from '#shared/request/exchange.ts';
import type { Handler } from '#shared/request/request-context.ts';
import { buildInternalChain, buildPublicChain, type ChainDependencies } from './build-handler-chain.ts';
import { installDebugPages } from './debug-pages.ts';
import type { ExchangeHandler, Listener, OpenListener } from './exchange/listener.ts';
import { installFlowControlPages } from './flow-control-pages.ts';
import { HealthChecks } from './health.ts';
import { answerMalformedTarget } from './http/malformed-targets.ts';
import { Lifecycle } from './lifecycle.ts';
import { deprecatedRequests } from './metrics/deprecated-requests.ts';
import { RequestMetrics } from './metrics/request-metrics.ts';
import { serveMetrics, type MetricsMerger } from './metrics/serve-metrics.ts';
import { serverMetrics } from './metrics/server-metrics.ts';
import { openLogger } from './open-logger.ts';
import { effectiveVersion } from './options/effective-version.ts';
import type { ServerOptions } from './options/server-options.ts';
import { PathMux } from './path-mux.ts';
import type { PreShutdownHooks } from './pre-shutdown-hooks.ts';
import { installProfilingPages, ownDebugPages } from './profiling-pages.ts';
import { RequestState } from './request-state.ts';
import { shutDown } from './shut-down.ts';
import { serveVersion } from './version.ts';

export interface StartServerOptions {
  /** For logs: `gateway`, `core`. */
  readonly name: string;
  readonly options: ServerOptions;
  readonly listeners: readonly OpenListener[];
  /** The handler of the API, behind the fixed paths. */
  readonly handler: Handler;
  readonly chain: ChainDependencies;
  /** Fixed paths of the server; health, `/version` and `/` are added. */
  readonly mux?: PathMux;
  /** The health checks that the server has registered; more may be added later. */
  readonly health?: HealthChecks;
  /** Hooks that run concurrently once the listeners are open. */
  readonly postStartHooks?: Readonly<Record<string, () => Promise<void>>>;
  /** Hooks that run at the beginning of a shutdown; requests are served until they have ended. */
  readonly preShutdownHooks?: PreShutdownHooks;
  readonly logger?: LeveledLogger;
  /** Profiles and levels of the log, with `--profiling`. Default: those of this process. */
  readonly debugPages?: DebugPages;
  /** Who makes the audit events of requests from clients; absent without a policy. */
  readonly auditing?: AuditRecorder | undefined;
  /** Absent without priority and fairness: then requests in flight are limited. */
  readonly flowControl?: FlowControl | undefined;
  /** Metrics beyond those of requests and of the process. */
  readonly metrics?: readonly Family[];
  /** Internal sockets by the names of servers: that of this one tells which replica the process is. */
  readonly sockets?: Readonly<Partial<Record<'core' | 'extensions' | 'gateway', string>>>;
  /** Adds the metrics of other processes. Default: there are none. */
  readonly metricsMerger?: MetricsMerger | undefined;
}

export interface RunningServer {
  readonly listeners: readonly Listener[];
  readonly health: HealthChecks;
  readonly mux: PathMux;
  readonly lifecycle: Lifecycle;
  readonly logger: LeveledLogger;
  readonly inFlight: InFlightRequests;
  /** Serves an exchange that no listener of this server accepted, with the trust that it carries. */
  serve(exchange: Exchange): void;
  /** Resolves when no gateway is connected to an internal listener. */
  unused(): Promise<void>;
  /** Ends gracefully; every call returns the same promise. */
  shutdown(): Promise<void>;
}

/** Opens the listeners with the chain in front of the handler. Rejects if a listener cannot be opened. */
export async function startServer(start: StartServerOptions): Promise<RunningServer> {
  const { name, options } = start;
  const logger = start.logger ?? openLogger(options);
  const health =
    start.health ??
    new HealthChecks(options.livezGracePeriod, (hook, error) => logger.error('PostStartHook failed', error, { hook }));
  const mux = start.mux ?? new PathMux();
  const lifecycle = new Lifecycle(name, logger);
  const metrics = new RequestMetrics();
  const inFlight = new InFlightRequests(start.chain.writeError);
  const readWrite = new ReadWriteMetrics(monotonicClock);
  const hooks = Object.entries(start.postStartHooks ?? {}).map(([hook, run]) => health.addPostStartHook(hook, run));
  health.add({
    name: 'shutdown',
    endpoints: ['readyz'],
    check: () => (lifecycle.has('ShutdownInitiated') ? 'process is shutting down' : undefined),
  });
  health.install(mux);
  const deprecated = deprecatedRequests(factsAsOf(loadFacts(), effectiveVersion(options)), () => metrics.requested());
  mux.handle(
    '/metrics',
    serveMetrics(options, start.metricsMerger, [
      ...runtimeMetrics(processName(start)),
      ...metrics.families(),
      ...serverMetrics(options),
      ...readWrite.families(),
      deprecated,
      ...(start.auditing?.metrics.families() ?? []),
      ...(start.metrics ?? []),
    ]),
  );
  mux.handle(
    '/metrics/slis',
    serveMetrics(options, undefined, [startTimeFamily('[ALPHA] '), ...health.metrics.families()], 'families alone'),
  );
  installDebugPages(mux, options);
  if (options.profiling) installProfilingPages(mux, start.debugPages ?? ownDebugPages(options, logger.levels));
  if (start.flowControl !== undefined) installFlowControlPages(mux, start.flowControl);
  mux.handleService('/version', serveVersion(options));

  const serve = throughChains(start, mux, { logger, metrics, readWrite, inFlight, lifecycle });
  // Errors on the connections of the listeners are caused by requests, but it is not known by which.
  const listeners = await runInRequestScope(connectionScope(logger), () => openListeners(start.listeners, serve));
  lifecycle.signal('Started');
  for (const run of hooks) void run();

  let ending: Promise<void> | undefined;
  return {
    listeners,
    health,
    mux,
    lifecycle,
    logger,
    inFlight,
    serve,
    unused: async () => void (await Promise.all(listeners.map(async (listener) => listener.unused?.()))),
    shutdown: () => (ending ??= end(start, { lifecycle, inFlight, listeners, logger })),
  };
}

async function end(
  { options, preShutdownHooks = {}, auditing }: StartServerOptions,
  { logger, ...parts }: Pick<RunningServer, 'lifecycle' | 'inFlight' | 'listeners' | 'logger'>,
): Promise<void> {
  await shutDown({
    options,
    ...parts,
    preShutdownHooks,
    onHookFailure: (hook, error) => logger.error('PreShutdownHook failed', error, { hook }),
  });
  // All requests have ended, so the last events were made.
  await auditing?.sink.close();
}

/** Sends exchanges through the chain of their trust to the handler. */
function throughChains(
  { options, chain, handler, auditing, flowControl }: StartServerOptions,
  mux: PathMux,
  {
    lifecycle,
    ...shared
  }: Pick<RunningServer, 'logger' | 'inFlight' | 'lifecycle'> & {
    metrics: RequestMetrics;
    readWrite: ReadWriteMetrics;
  },
): (exchange: Exchange) => void {
  const chainOptions = {
    options,
    dependencies: chain,
    auditing,
    flowControl,
    ...shared,
    notAccepting: () => lifecycle.has('NotAcceptingNewRequest'),
  };
  const served = mux.handler(handler);
  const chains = {
    public: buildPublicChain(served, chainOptions),
    internal: buildInternalChain(served, chainOptions),
  };
  return (exchange) => {
    if (answerMalformedTarget(exchange)) return;
    void chains[exchange.trust](new RequestState(exchange));
  };
}

async function openListeners(open: readonly OpenListener[], serve: ExchangeHandler): Promise<Listener[]> {
  const results = await Promise.allSettled(open.map((one) => one(serve)));
  const failed = results.find((result) => result.status === 'rejected');
  const opened = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  if (failed) {
    for (const listener of opened) listener.destroy();
    throw failed.reason;
  }
  return opened;
}

/** The process in metrics: `core`, or `core/2` for the second one on this machine. */
function processName({ name, sockets }: StartServerOptions): string {
  const socket = Object.entries(sockets ?? {}).find(([server]) => server === name)?.[1] ?? '';
  const replica = /-(\d+)\.sock$/.exec(socket)?.[1];
  return replica === undefined ? name : `${name}/${replica}`;
}
