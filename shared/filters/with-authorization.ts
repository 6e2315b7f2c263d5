import type { Authorization, Authorizer } from '#shared/authorization/contract/authorizer.ts';
import { forbiddenError } from '#shared/authorization/forbidden.ts';
import { requestAttributes } from '#shared/authorization/request-attributes.ts';
import type { Filter, RequestContext } from '#shared/request/request-context.ts';
import { timed } from '#shared/request/timed.ts';
import { authorizationAttempts } from './filter-metrics.ts';
import { sendInternalError, writeChainError, type ErrorWriter } from './filter-tools.ts';

/**
 * Passes on the requests that the authorizer allows; answers the others with a 403 that names the missing permission.
 */
export function withAuthorization(authorizer: Authorizer, writeError: ErrorWriter): Filter {
  return (next) => {
    const decide = (context: RequestContext, answer: Authorization): void | Promise<void> => {
      const { audit } = context;
      authorizationAttempts.ended(resultOf(answer), context.filterStartedMs);
      if (answer.decision === 'allow') {
        audit?.annotate('authorization.k8s.io/decision', 'allow');
        audit?.annotate('authorization.k8s.io/reason', answer.reason);
        return next(context);
      }
      if (answer.error !== undefined) {
        audit?.annotate('authorization.k8s.io/reason', 'internal error');
        sendInternalError(context.exchange, answer.error);
        return;
      }
      audit?.annotate('authorization.k8s.io/decision', 'forbid');
      audit?.annotate('authorization.k8s.io/reason', answer.reason);
      writeChainError(
        writeError,
        context,
        forbiddenError(requestAttributes(context.user, context.info), answer.reason),
      );
    };
    return (context) => {
      const { exchange, user, info } = context;
      const attributes = requestAttributes(user, info, (listener) => exchange.onAnswer(listener));
      const startedMs = context.audit === undefined ? 0 : performance.now();
      const answer = authorizer.authorize(attributes);
      if (answer instanceof Promise)
        return timed(context.audit, 'authorization', answer).then((found) => decide(context, found));
      context.audit?.noteLatency('authorization', performance.now() - startedMs);
      return decide(context, answer);
    };
  };
}

/** The label of an answer in metrics. */
function resultOf({ decision, error }: Authorization): string {
  if (decision === 'allow') return 'allowed';
  if (error !== undefined) return 'error';
  return decision === 'deny' ? 'denied' : 'no-opinion';
}
