import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { Authorization, Authorizer } from '#shared/authorization/contract/authorizer.ts';
import { escapeHtml, forbiddenError } from '#shared/authorization/forbidden.ts';
import { requestAttributes } from '#shared/authorization/request-attributes.ts';
import type { Filter, RequestContext } from '#shared/request/request-context.ts';
import { plainText, writeChainError, type ErrorWriter } from './filter-tools.ts';

/**
 * Passes on the requests that the authorizer allows; answers the others with a 403 that names the missing permission.
 */
export function withAuthorization(authorizer: Authorizer, writeError: ErrorWriter): Filter {
  return (next) => {
    const decide = (context: RequestContext, answer: Authorization): void | Promise<void> => {
      const annotations = context.auditAnnotations;
      if (answer.decision === 'allow') {
        annotations.set('authorization.k8s.io/decision', 'allow');
        annotations.set('authorization.k8s.io/reason', answer.reason);
        return next(context);
      }
      if (answer.error !== undefined) {
        annotations.set('authorization.k8s.io/reason', 'internal error');
        const { path, query } = context.exchange;
        const target = goQuote(query === '' ? path : `${path}?${query}`);
        context.exchange.send(500, plainText, escapeHtml(`Internal Server Error: ${target}: ${answer.error}\n`));
        return;
      }
      annotations.set('authorization.k8s.io/decision', 'forbid');
      annotations.set('authorization.k8s.io/reason', answer.reason);
      writeChainError(
        writeError,
        context,
        forbiddenError(requestAttributes(context.user, context.info), answer.reason),
      );
    };
    return (context) => {
      const { exchange, user, info } = context;
      const attributes = requestAttributes(user, info, (listener) => exchange.onAnswer(listener));
      const answer = authorizer.authorize(attributes);
      return answer instanceof Promise ? answer.then((found) => decide(context, found)) : decide(context, answer);
    };
  };
}
