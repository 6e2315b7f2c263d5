import { randomUuid } from '#shared/apimachinery/values/random-uuid.ts';
import { headerValue } from '#shared/request/header-values.ts';
import type { Filter } from '#shared/request/request-context.ts';

/** Takes the client's Audit-ID as it is, or creates one, and returns it in the response. */
export function withAuditId(): Filter {
  return (next) => (context) => {
    context.auditId = headerValue(context.exchange, 'audit-id') || randomUuid();
    context.exchange.setHeader('audit-id', context.auditId);
    return next(context);
  };
}
