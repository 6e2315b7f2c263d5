import { requestUri } from '#shared/filters/filter-tools.ts';
import type { Exchange } from '#shared/request/exchange.ts';
import { headerValue } from '#shared/request/header-values.ts';
import type { Filter, RequestContext } from '#shared/request/request-context.ts';
import { activeSpan, outsideSpans, runInSpan, spanSource } from '#shared/spans/active-span.ts';
import type { RemoteParent, RequestSpan, SpanSource, SpanStart } from '#shared/spans/request-span.ts';
import { spanName } from './span-name.ts';
import { tracedRequest } from './traced-request.ts';

/** Groups whose members may say which trace a request joins, and whether it is sampled. */
const trusted: ReadonlySet<string> = new Set(['system:masters', 'system:monitoring']);

/**
 * The span of a request, as the reference's otelhttp makes it: it joins the trace of a trusted client, and begins a
 * trace of its own for others, which names theirs as a link. Only for servers that trace.
 */
export function withRequestSpan(): Filter {
  return (next) => (context) => {
    const source = spanSource();
    if (source === undefined) return next(context);
    const span = spanOf(source, context);
    // What follows is no part of authentication.
    if (span === undefined) return activeSpan() === undefined ? next(context) : outsideSpans(() => next(context));
    context.exchange.onClose(() => endSpan(span, context.exchange));
    return runInSpan(span, next, context);
  };
}

function spanOf(source: SpanSource, context: RequestContext): RequestSpan | undefined {
  const parent = parentOf(source, context.exchange);
  if (!context.user.groups.some((group) => trusted.has(group)))
    return source.samples() ? source.begin(startOf(context), parent) : undefined;
  if (parent !== undefined) return parent.isSampled ? parent.start(startOf(context)) : undefined;
  const active = activeSpan();
  if (active === undefined) return undefined;
  const { name, attributes, kind, startMs } = startOf(context);
  return active.child(name, attributes, kind, startMs);
}

function parentOf(source: SpanSource, exchange: Exchange): RemoteParent | undefined {
  if (exchange.headers['traceparent'] === undefined) return undefined;
  return source.remote(headerValue(exchange, 'traceparent'), headerValue(exchange, 'tracestate') || undefined);
}

/** With the attributes of OpenTelemetry's conventions for HTTP servers. */
function startOf(context: RequestContext): SpanStart {
  const { exchange, auditId, receivedAtMs } = context;
  const [host, port] = splitHostPort(headerValue(exchange, exchange.httpVersion === '2.0' ? ':authority' : 'host'));
  const userAgent = headerValue(exchange, 'user-agent');
  const client = headerValue(exchange, 'x-forwarded-for').split(',')[0] || exchange.remoteAddress;
  return {
    name: spanName(context),
    kind: 'server',
    request: tracedRequest(context),
    startMs: receivedAtMs,
    attributes: {
      'server.address': host,
      'http.request.method': exchange.method,
      'url.scheme': 'https',
      ...(port !== undefined && port !== 443 && { 'server.port': port }),
      ...(exchange.remoteAddress !== '' && {
        'network.peer.address': exchange.remoteAddress,
        'network.peer.port': exchange.remotePort,
      }),
      ...(userAgent !== '' && { 'user_agent.original': userAgent }),
      ...(client !== '' && { 'client.address': client }),
      'url.path': context.info.path,
      'network.protocol.version': exchange.httpVersion === '2.0' ? '2' : exchange.httpVersion,
      'http.target': requestUri(exchange),
      'audit-id': auditId,
    },
  };
}

function endSpan(span: RequestSpan, { statusCode }: Exchange): void {
  if (statusCode > 0) span.set({ 'http.response.status_code': statusCode });
  if (statusCode >= 500) span.fail('');
  span.end();
}

/** Host and port of a header; no port where there is none. */
function splitHostPort(text: string): [host: string, port: number | undefined] {
  const [, v6, name = '', port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(text) ?? [];
  return [v6 ?? name, port === undefined ? undefined : Number(port)];
}
