import { headerValue } from '#shared/request/header-values.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import type { RequestInfo } from '#shared/request/request-info.ts';
import { activeSpan } from '#shared/spans/active-span.ts';
import type { RequestSpan } from '#shared/spans/request-span.ts';

/** As the reference cuts them off. */
const maxUserAgent = 1024;

/**
 * The span of a verb's handler (apiserver/pkg/endpoints/handlers, trace_util.go): `Create`, `List`. Undefined for a
 * request that is not traced.
 */
export function verbSpan(context: RequestContext, name: string): RequestSpan | undefined {
  const active = activeSpan();
  if (active === undefined) return undefined;
  const { exchange, auditId, info } = context;
  const agent = headerValue(exchange, 'user-agent');
  return active.child(name, {
    accept: headerValue(exchange, 'accept'),
    'audit-id': auditId,
    client: headerValue(exchange, 'x-forwarded-for').split(',')[0]?.trim() || exchange.remoteAddress,
    'api-group': info.apiGroup,
    'api-version': info.apiVersion,
    name: info.name,
    subresource: info.subresource,
    namespace: info.namespace,
    protocol: active.request.protocol,
    resource: info.resource,
    scope: scopeOf(info),
    url: info.path,
    'user-agent': agent.length > maxUserAgent ? `${agent.slice(0, maxUserAgent)}...TRUNCATED` : agent,
    verb: info.verb,
  });
}

/** As metrics call it (CleanScope). */
function scopeOf({ name, verb, namespace }: RequestInfo): string {
  return name !== '' || verb === 'create' ? 'resource' : namespace === '' ? 'cluster' : 'namespace';
}
