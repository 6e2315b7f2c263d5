import type { RequestContext } from '#shared/request/request-context.ts';
import type { TracedRequest } from '#shared/spans/request-span.ts';
import { clientBaggage } from './client-baggage.ts';

/** What the spans of a client's request tell of it. */
export function tracedRequest({ exchange, auditId }: RequestContext): TracedRequest {
  return { auditId, protocol: `HTTP/${exchange.httpVersion}`, baggage: clientBaggage(exchange) };
}
