import type { AuditRecorder } from '#shared/audit/recorder/audit-trail.ts';
import type { RequestAuthenticator } from '#shared/authentication/contract/authenticator.ts';
import type { Authorizer } from '#shared/authorization/contract/authorizer.ts';
import { attemptedText } from '#shared/filters/attempted-text.ts';
import { firstTimedFilter, timedFilter } from '#shared/filters/filter-metrics.ts';
import type { ErrorWriter } from '#shared/filters/filter-tools.ts';
import type { InFlightRequests } from '#shared/filters/in-flight.ts';
import { tellConflict } from '#shared/filters/tell-conflict.ts';
import { withAuthenticationSpan, withFilterSpan } from '#shared/filters/tracing/with-filter-span.ts';
import { withJoinedTrace } from '#shared/filters/tracing/with-joined-trace.ts';
import { withPassedTrace } from '#shared/filters/tracing/with-passed-trace.ts';
import { withRequestSpan } from '#shared/filters/tracing/with-request-span.ts';
import { withAdmissionLog } from '#shared/filters/with-admission-log.ts';
import { withAuditId } from '#shared/filters/with-audit-id.ts';
import { withAuditMaterial } from '#shared/filters/with-audit-material.ts';
import { auditRefusal, withAudit } from '#shared/filters/with-audit.ts';
import { withAuthentication } from '#shared/filters/with-authentication.ts';
import { withAuthorization } from '#shared/filters/with-authorization.ts';
import { withCors } from '#shared/filters/with-cors.ts';
import { withFaultScope } from '#shared/filters/with-fault-scope.ts';
import { withImpersonation } from '#shared/filters/with-impersonation.ts';
import { withMaxInFlight } from '#shared/filters/with-max-in-flight.ts';
import { withPanicRecovery } from '#shared/filters/with-panic-recovery.ts';
import { withPriorityAndFairness } from '#shared/filters/with-priority-and-fairness.ts';
import { withRequestDeadline } from '#shared/filters/with-request-deadline.ts';
import { withRequestInfo } from '#shared/filters/with-request-info.ts';
import { withImpersonationLog, withRequestLog } from '#shared/filters/with-request-log.ts';
import { withRequestMetrics, type RequestRecorder } from '#shared/filters/with-request-metrics.ts';
import { withCacheControl, withHsts, withProbabilisticGoaway } from '#shared/filters/with-response-headers.ts';
import { withRetryAfter } from '#shared/filters/with-retry-after.ts';
import { withTrustedIdentity } from '#shared/filters/with-trusted-identity.ts';
import { withWatchStart } from '#shared/filters/with-watch-start.ts';
import type { FlowControl } from '#shared/flowcontrol/flow-control.ts';
import type { ReadWriteMetrics } from '#shared/flowcontrol/metrics/read-write-metrics.ts';
import type { LeveledLogger } from '#shared/observability/logger.ts';
import { parseRequestInfo } from '#shared/request/parse-request-info.ts';
import type { Filter, Handler } from '#shared/request/request-context.ts';
import { featureGates } from './options/feature-gates.ts';
import type { ServerOptions } from './options/server-options.ts';

/** The parts of the chain that each server provides itself. */
export interface ChainDependencies {
  readonly authenticator: RequestAuthenticator;
  readonly authorizer: Authorizer;
  /** Audiences of which a token must name one; usually `Authentication.apiAudiences`. */
  readonly apiAudiences: readonly string[];
  /** Negotiated Status answers (shared/endpoints). */
  readonly writeError: ErrorWriter;
}

interface ChainOptions {
  readonly options: ServerOptions;
  readonly dependencies: ChainDependencies;
  readonly logger: LeveledLogger;
  readonly metrics: RequestRecorder;
  readonly inFlight: InFlightRequests;
  /** True once the server is shutting down and turns new requests away. */
  readonly notAccepting: () => boolean;
  /** Absent without an audit policy. */
  readonly auditing?: AuditRecorder | undefined;
  readonly readWrite: ReadWriteMetrics;
  /** Absent without priority and fairness. */
  readonly flowControl?: FlowControl | undefined;
}

/**
 * The whole chain of a public listener, outermost first, in the reference's order. Filters that a configuration does
 * not need are left out, so that they cost nothing.
 */
export function buildPublicChain(
  handler: Handler,
  { options, dependencies, logger, metrics, inFlight, notAccepting, auditing, ...limits }: ChainOptions,
): Handler {
  const { writeError } = dependencies;
  const isConstrained = featureGates(options).gates.isEnabled('ConstrainedImpersonation');
  const impersonation = isConstrained ? 'constrainedimpersonation' : 'impersonation';
  const span = spanFilter(options);
  return compose(handler, [
    // First, since all that a request leads to runs in its scope.
    withFaultScope(writeError, logger),
    // Errors and log entries of all following filters contain this id.
    withAuditId(),
    // No error that a following filter throws gets past this filter.
    withPanicRecovery(writeError, logger),
    // All following filters use the request info.
    withRequestInfo(parseRequestInfo),
    withRequestLog(logger),
    // Before any work is done: during shutdown, new requests are refused.
    options.shutdownSendRetryAfter ? withRetryAfter(notAccepting) : undefined,
    // These headers are on every answer, including errors of the following filters.
    withHsts(options.strictTransportSecurityDirectives),
    withCacheControl(),
    withProbabilisticGoaway(options.goawayChance),
    // The deadline is set before the request is registered as in flight, since the check of requests in flight reads
    // it. Shutdown waits for the registered requests.
    withRequestDeadline(options.requestTimeout, auditing),
    // Before the registration, so that shutdown finds a request recorded when it has ended. Refusals of the following
    // filters are recorded; what the filters above refuse is not.
    withRequestMetrics(metrics),
    inFlight.filter(),
    // Preflights carry no credentials, so they end before authentication.
    withCors(options.corsAllowedOrigins),
    traced(options, withAuthenticationSpan),
    firstTimedFilter('authentication', authenticationFilter({ options, dependencies, logger, auditing })),
    // After authentication, since only trusted clients may say whether a request is traced.
    traced(options, withRequestSpan) ?? withPassedTrace(),
    span('audit'),
    // After authentication, since the policy decides by user; all that follows is part of the events.
    timedFilter('audit', withAudit(auditing)),
    span(impersonation),
    // Impersonation is authorized for the authenticated user; the following filters see the impersonated user.
    timedFilter(impersonation, withImpersonation(dependencies.authorizer, isConstrained)),
    withImpersonationLog(logger),
    limits.flowControl && span('priorityandfairness'),
    // After authentication, since it depends on the user; before authorization, which may be costly.
    timedFilter(limits.flowControl === undefined ? 'maxinflight' : 'priorityandfairness', withLimits(options, limits)),
    span('authorization'),
    timedFilter('authorization', withAuthorization(dependencies.authorizer, writeError)),
    // Of requests that get as far as a handler.
    withAdmissionLog(logger),
  ]);
}

/**
 * The chain behind the trusted hop. The gateway has already authenticated and authorized the request and applied the
 * limits, it records them, and it aborts requests after their deadline. This chain only prepares their context.
 */
export function buildInternalChain(
  handler: Handler,
  { options, dependencies, logger, inFlight }: ChainOptions,
): Handler {
  return compose(handler, [
    withFaultScope(dependencies.writeError, logger),
    withAuditId(),
    withPanicRecovery(dependencies.writeError, logger),
    withRequestInfo(parseRequestInfo),
    withTrustedIdentity(),
    traced(options, withJoinedTrace) ?? withPassedTrace(),
    withAuditMaterial(tellConflict(logger)),
    withWatchStart(),
    withRequestDeadline(options.requestTimeout),
    inFlight.filter(),
    withCacheControl(),
    withAdmissionLog(logger),
  ]);
}

function authenticationFilter({
  options,
  dependencies,
  logger,
  auditing,
}: Pick<ChainOptions, 'options' | 'dependencies' | 'logger' | 'auditing'>): Filter {
  const { authenticator, apiAudiences, writeError } = dependencies;
  return withAuthentication({
    authenticator,
    apiAudiences,
    writeError,
    logger,
    closesAnonymous: featureGates(options).gates.isEnabled('UnauthenticatedHTTP2DOSMitigation'),
    onRefusal: auditing && ((context) => auditRefusal(context, auditing, attemptedText(context.exchange))),
  });
}

function withLimits(
  options: ServerOptions,
  { flowControl, readWrite }: Pick<ChainOptions, 'flowControl' | 'readWrite'>,
): Filter | undefined {
  const { maxRequestsInflight, maxMutatingRequestsInflight, requestTimeout } = options;
  if (flowControl === undefined) return withMaxInFlight(maxRequestsInflight, maxMutatingRequestsInflight, readWrite);
  const maxSending = maxRequestsInflight + maxMutatingRequestsInflight;
  return withPriorityAndFairness({ flowControl, requestTimeoutMs: requestTimeout, maxSending, readWrite });
}

/** Servers without traces have none of their filters. */
function traced({ tracingConfigFile }: ServerOptions, filter: () => Filter): Filter | undefined {
  return tracingConfigFile === '' ? undefined : filter();
}

function spanFilter(options: ServerOptions): (name: string) => Filter | undefined {
  return (name) => traced(options, () => withFilterSpan(name));
}

function compose(handler: Handler, filters: readonly (Filter | undefined)[]): Handler {
  return filters.reduceRight<Handler>((next, filter) => (filter ? filter(next) : next), handler);
}
