import { headerValue } from '#shared/request/header-values.ts';
import type { Filter } from '#shared/request/request-context.ts';
import { traceHeader } from '#shared/request/trace-header.ts';
import { runInSpan, spanSource } from '#shared/spans/active-span.ts';
import { clientBaggage } from './client-baggage.ts';

/** Behind the trusted hop: spans of the request become parts of the gateway's. Only for servers that trace. */
export function withJoinedTrace(): Filter {
  return (next) => (context) => {
    const { exchange } = context;
    if (exchange.headers[traceHeader] === undefined) return next(context);
    const [traceparent = '', protocol = '', tracestate] = headerValue(exchange, traceHeader).split(' ');
    const parent = spanSource()?.remote(traceparent, tracestate);
    if (parent === undefined) return next(context);
    const request = { auditId: context.auditId, protocol, baggage: clientBaggage(exchange) };
    return runInSpan(parent.standIn(request), next, context);
  };
}
