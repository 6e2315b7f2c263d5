import type { Filter } from '#shared/request/request-context.ts';
import { activeSpan, runInSpan, spanSource } from '#shared/spans/active-span.ts';
import { tracedRequest } from './traced-request.ts';

/**
 * The span of a filter and of all that follows it, as the reference's chain has them (filterlatency.go). Only for
 * servers that trace.
 */
export function withFilterSpan(name: string): Filter {
  return (next) => (context) => {
    const span = activeSpan()?.child(name);
    if (span === undefined) return next(context);
    context.exchange.onClose(() => span.end());
    return runInSpan(span, next, context);
  };
}

/** The span of authentication, which begins a trace: nobody knows yet whether the client may say which it joins. */
export function withAuthenticationSpan(): Filter {
  return (next) => (context) => {
    const source = spanSource();
    if (source?.samples() !== true) return next(context);
    const span = source.begin({ name: 'authentication', request: tracedRequest(context) });
    context.exchange.onClose(() => span.end());
    return runInSpan(span, next, context);
  };
}
