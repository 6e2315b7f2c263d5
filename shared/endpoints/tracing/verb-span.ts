import { headerValue } from '#shared/request/header-values.ts';
import { reportedVerb } from '#shared/request/reported-verb.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import type { RequestInfo } from '#shared/request/request-info.ts';
import { handlerSpan } from '#shared/spans/active-span.ts';
import type { RequestSpan, SpanAttributes, TracedRequest } from '#shared/spans/request-span.ts';
import { UntracedRequest } from './untraced-request.ts';

/** As the reference cuts them off. */
const maxUserAgent = 1024;

/**
 * The span of a verb's handler (apiserver/pkg/endpoints/handlers, trace_util.go): `Create`, `List`. Undefined
 * where nobody wants to know of the request's work.
 */
export function verbSpan(context: RequestContext, name: string): RequestSpan | undefined {
  return handlerSpan(name, context, UntracedRequest.of, verbAttributes);
}

export function verbAttributes(context: RequestContext, { protocol }: TracedRequest): SpanAttributes {
  const { exchange, auditId, info } = context;
  const agent = headerValue(exchange, 'user-agent');
  return {
    accept: headerValue(exchange, 'accept'),
    'audit-id': auditId,
    client: headerValue(exchange, 'x-forwarded-for').split(',')[0]?.trim() || exchange.remoteAddress,
    'api-group': info.apiGroup,
    'api-version': info.apiVersion,
    name: info.name,
    subresource: info.subresource,
    namespace: info.namespace,
    protocol,
    resource: info.resource,
    scope: scopeOf(info),
    url: info.path,
    'user-agent': agent.length > maxUserAgent ? `${agent.slice(0, maxUserAgent)}...TRUNCATED` : agent,
    verb: reportedVerb(context),
  };
}

/** As metrics call it (CleanScope). */
function scopeOf({ name, verb, namespace }: RequestInfo): string {
  return name !== '' || verb === 'create' ? 'resource' : namespace === '' ? 'cluster' : 'namespace';
}
