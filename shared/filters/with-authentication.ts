import { newUnauthorized } from '#shared/apimachinery/errors/status.ts';
import { hasSpacedToken } from '#shared/authentication/bearer-token.ts';
import {
  allUnauthenticated,
  anonymousName,
  AuthenticationError,
  type AuthenticationAnswer,
  type RequestAuthenticator,
} from '#shared/authentication/contract/authenticator.ts';
import { limitErrorRate } from '#shared/observability/limit-error-rate.ts';
import type { Logger } from '#shared/observability/logger.ts';
import type { Filter, RequestContext } from '#shared/request/request-context.ts';
import type { UserInfo } from '#shared/request/user.ts';
import { authenticationAttempts, countUser } from './filter-metrics.ts';
import type { ErrorWriter } from './filter-tools.ts';

const spacedToken = 'the provided Authorization header contains extra space before the bearer token, and is ignored';

export interface AuthenticationFilterOptions {
  readonly authenticator: RequestAuthenticator;
  /** Audiences of which a token must name one. */
  readonly apiAudiences: readonly string[];
  readonly writeError: ErrorWriter;
  readonly logger: Logger;
  /** Feature gate UnauthenticatedHTTP2DOSMitigation: unauthenticated clients may not keep HTTP/2 connections. */
  readonly closesAnonymous: boolean;
  /** Told before a request is refused, for its audit event. */
  readonly onRefusal?: ((context: RequestContext) => void) | undefined;
}

/** Authenticates the client, or answers 401 `Unauthorized`. Continues synchronously if the authenticator does. */
export function withAuthentication({
  authenticator,
  apiAudiences,
  writeError,
  logger,
  closesAnonymous,
  onRefusal,
}: AuthenticationFilterOptions): Filter {
  // Clients can send as many wrong credentials as they like.
  const tell = limitErrorRate((message, error) => logger.error(message, error));
  const refuse = (context: RequestContext, result: 'failure' | 'error'): void => {
    authenticationAttempts.ended(result, context.filterStartedMs);
    // Unauthenticated clients may not keep HTTP/2 connections open (CVE-2023-44487).
    if (closesAnonymous && context.exchange.httpVersion === '2.0') context.exchange.setHeader('connection', 'close');
    onRefusal?.(context);
    writeError(context, newUnauthorized('Unauthorized'));
  };
  return (next) => {
    const accept = (context: RequestContext, answer: AuthenticationAnswer): void | Promise<void> => {
      warnOfSpacedToken(context, answer);
      if (answer === undefined) return refuse(context, 'failure');
      const { audiences, user } = answer;
      if (!isForAudience(audiences, apiAudiences)) {
        tell(
          'Unable to authenticate the request',
          `unable to match the audience: [${audiences?.join(' ')}] , accepted: [${apiAudiences.join(' ')}]`,
        );
        return refuse(context, 'error');
      }
      if (closesAnonymous && context.exchange.httpVersion === '2.0' && isNobody(user))
        context.exchange.setHeader('connection', 'close');
      for (const warning of answer.warnings ?? []) context.addWarning(warning);
      if (answer.annotations !== undefined) context.authenticationAnnotations = answer.annotations;
      context.user = user;
      authenticationAttempts.ended('success', context.filterStartedMs);
      countUser(user.name);
      return next(context);
    };
    const failed = (context: RequestContext, error: unknown): void => {
      if (!(error instanceof AuthenticationError)) throw error;
      tell('Unable to authenticate the request', error);
      if (error.annotations.length > 0) context.authenticationAnnotations = error.annotations;
      refuse(context, 'error');
    };
    return (context) => {
      let answer: AuthenticationAnswer | Promise<AuthenticationAnswer>;
      try {
        answer = authenticator.authenticate(context.exchange);
      } catch (error) {
        return failed(context, error);
      }
      if (!(answer instanceof Promise)) return accept(context, answer);
      return answer.then(
        (found) => accept(context, found),
        (error: unknown) => failed(context, error),
      );
    };
  };
}

function isNobody({ name, groups }: UserInfo): boolean {
  return name === anonymousName || groups.includes(allUnauthenticated);
}

/** Whoever meant to send a token and is nobody is told why. */
function warnOfSpacedToken(context: RequestContext, answer: AuthenticationAnswer): void {
  if ((answer === undefined || answer.user.name === anonymousName) && hasSpacedToken(context.exchange))
    context.addWarning(spacedToken);
}

/** Whether a credential that names audiences names one of the accepted; both may name none. */
function isForAudience(audiences: readonly string[] | undefined, accepted: readonly string[]): boolean {
  return audiences === undefined || accepted.length === 0 || audiences.some((audience) => accepted.includes(audience));
}
