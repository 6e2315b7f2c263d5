import type { RequestContext } from '#shared/request/request-context.ts';
import { recordedSpan } from '#shared/spans/active-span.ts';
import type { RequestSpan, SpanAttributes } from '#shared/spans/request-span.ts';

/** The span of a request to another server, until its answer was passed on; undefined for one that is not traced. */
export function hopSpan({ exchange }: RequestContext, attributes: SpanAttributes = {}): RequestSpan | undefined {
  const active = recordedSpan();
  if (active === undefined) return undefined;
  const { method, path } = exchange;
  const span = active.child(
    `HTTP ${method}`,
    { 'http.request.method': method, 'url.path': path, ...attributes },
    'client',
  );
  exchange.onClose(() => {
    if (exchange.statusCode > 0) span.set({ 'http.response.status_code': exchange.statusCode });
    if (exchange.statusCode >= 400) span.fail('');
    span.end();
  });
  return span;
}
