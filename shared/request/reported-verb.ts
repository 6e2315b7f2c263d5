import { headerValue } from './header-values.ts';
import type { RequestContext } from './request-context.ts';
import type { RequestInfo } from './request-info.ts';

/** Subresources whose requests are streams or proxied, by any method. */
const connected: ReadonlySet<string> = new Set(['log', 'exec', 'portforward', 'attach', 'proxy']);

/** How widely a request reaches, for metrics and logs. */
export type ReachedScope = 'resource' | 'namespace' | 'cluster' | '';

export function reachedScope(info: RequestInfo): ReachedScope {
  if (info.name !== '' || info.verb === 'create') return 'resource';
  if (info.namespace !== '') return 'namespace';
  return info.isResourceRequest ? 'cluster' : '';
}

/**
 * The verb by which metrics and logs tell requests apart: the method, but LIST and WATCH for reads of collections,
 * APPLY for server-side apply, and CONNECT for streams (NormalizedVerb of apiserver/pkg/endpoints/metrics).
 */
export function reportedVerb(context: RequestContext, scope: string = reachedScope(context.info)): string {
  const { exchange, info } = context;
  const { method } = exchange;
  if (info.isResourceRequest && connected.has(info.subresource)) return 'CONNECT';
  if (method === 'GET' || method === 'HEAD') {
    if (method === 'GET' && asksForWatch(context)) return 'WATCH';
    return scope === 'resource' || scope === '' ? 'GET' : 'LIST';
  }
  const isApply = method === 'PATCH' && headerValue(exchange, 'content-type') === 'application/apply-patch+yaml';
  return isApply ? 'APPLY' : method;
}

function asksForWatch({ exchange, info }: RequestContext): boolean {
  if (!exchange.query.includes('watch')) return false;
  const value = info.query.get('watch')?.toLowerCase();
  return value !== undefined && value !== '0' && value !== 'false';
}
