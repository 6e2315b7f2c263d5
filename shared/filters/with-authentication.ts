import { newUnauthorized } from '../apimachinery/status.ts';
import { anonymousName, AuthenticationError, type AuthenticationAnswer, type RequestAuthenticator } from '../authentication/authenticator.ts';
import { hasSpacedToken } from '../authentication/bearer-token.ts';
import type { Logger } from '../observability/logger.ts';
import type { Filter, RequestContext } from '../request/request-context.ts';
import type { ErrorWriter } from './filter-tools.ts';

const spacedToken = 'the provided Authorization header contains extra space before the bearer token, and is ignored';

/** Finds out who asks, or answers 401 `Unauthorized`. Runs on without an asynchronous hop where the answer is at hand. */
export function withAuthentication(authenticator: RequestAuthenticator, apiAudiences: readonly string[], writeError: ErrorWriter, logger: Logger): Filter {
  const refuse = (context: RequestContext): void => {
    // Clients without identity do not get to keep HTTP/2 connections open (CVE-2023-44487).
    if (context.exchange.httpVersion === '2.0') context.exchange.setHeader('connection', 'close');
    writeError(context, newUnauthorized('Unauthorized'));
  };
  return (next) => {
    const accept = (context: RequestContext, answer: AuthenticationAnswer): void | Promise<void> => {
      if ((answer === undefined || answer.user.name === anonymousName) && hasSpacedToken(context.exchange)) context.addWarning(spacedToken);
      if (answer === undefined) return refuse(context);
      const { audiences, user } = answer;
      if (audiences !== undefined && apiAudiences.length > 0 && !audiences.some((audience) => apiAudiences.includes(audience))) return refuse(context);
      if (user.name === anonymousName && context.exchange.httpVersion === '2.0') context.exchange.setHeader('connection', 'close');
      context.user = user;
      return next(context);
    };
    const failed = (context: RequestContext, error: unknown): void => {
      if (!(error instanceof AuthenticationError)) throw error;
      logger.info(2, 'Unable to authenticate the request', { err: error.message });
      refuse(context);
    };
    return (context) => {
      let answer: AuthenticationAnswer | Promise<AuthenticationAnswer>;
      try {
        answer = authenticator.authenticate(context.exchange);
      } catch (error) {
        return failed(context, error);
      }
      if (!(answer instanceof Promise)) return accept(context, answer);
      return answer.then((found) => accept(context, found), (error: unknown) => failed(context, error));
    };
  };
}
