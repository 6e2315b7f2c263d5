import { request as httpRequest } from 'node:http';
import { newServiceUnavailable } from '#shared/apimachinery/errors/status.ts';
import { DirectReads } from '#shared/request/direct-reads.ts';
import { relayRefusal } from '#shared/request/relay/relay-refusal.ts';
import { relayUpgrade } from '#shared/request/relay/relay-upgrade.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import type { Backend } from './backend.ts';
import { forwardedHeaders } from './forwarded-headers.ts';
import { proxiedHeaders, takeMaterialOf } from './proxied-request.ts';

/**
 * Forwards an upgrade to WebSocket or SPDY. The client's connection is joined to the backend's only after the backend
 * has answered 101. Earlier bytes of the client are not passed on: after a refused upgrade they would reach the
 * internal listener as a request.
 */
export function forwardUpgrade(context: RequestContext, backend: Backend): Promise<void> {
  const { exchange } = context;
  const headers = [...forwardedHeaders(context), ...proxiedHeaders(context)];
  headers.push('connection', 'Upgrade', 'upgrade', String(exchange.headers['upgrade'] ?? ''));
  const length = exchange.headers['content-length'];
  if (length !== undefined && length !== '0') headers.push('content-length', String(length));
  const reads = new DirectReads();
  const request = httpRequest({
    createConnection: () => backend.dial(reads.onread),
    method: exchange.method,
    path: exchange.query === '' ? exchange.path : `${exchange.path}?${exchange.query}`,
    headers,
    setHost: false,
  });
  backend.outstanding++;
  exchange.onClose(() => backend.release());
  return relayUpgrade(exchange, request, reads, {
    onFailure(error) {
      throw newServiceUnavailable(`the backend did not take the upgrade: ${(error as Error).message}`);
    },
    onUpgrade: (answer) => takeMaterialOf(answer, context.audit),
    onRefusal(answer) {
      takeMaterialOf(answer, context.audit);
      relayRefusal(exchange, answer);
    },
  });
}
