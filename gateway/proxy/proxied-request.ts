import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { materialHeader, takeMaterial } from '#shared/audit/material/hop-material.ts';
import type { Exchange } from '#shared/request/exchange.ts';
import { announcedLength, headerValue, headerValues } from '#shared/request/header-values.ts';
import { auditedHeader, proxiedHostHeader } from '#shared/request/proxied-headers.ts';
import { answerHeaders, namedByConnection } from '#shared/request/relay/connection-headers.ts';
import { relayBodyTo, relayInformation } from '#shared/request/relay/relay-body.ts';
import type { AnswerHandler, RelayedCall } from '#shared/request/relay/relay.ts';
import type { GivenUp, RequestAudit } from '#shared/request/request-audit.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import type { Backend } from './backend.ts';
import { brokenOff } from './broken-off.ts';
import { forwardedHeaders } from './forwarded-headers.ts';
import { TransportError } from './hop/transport.ts';
import type { BackendRequest } from './pool-route.ts';

/**
 * Whether a request is for the proxy of a pod, service or node. These are sent over HTTP/1.1, since core forwards them
 * with a library that needs a request object of Node.js.
 */
export function isProxied({ info }: RequestContext): boolean {
  return info.subresource === 'proxy' && info.apiGroup === '' && info.isResourceRequest;
}

/** Additional headers, beyond {@link forwardedHeaders}, of proxy requests and upgrades to core. */
export function proxiedHeaders({ exchange }: RequestContext): string[] {
  const headers = [proxiedHostHeader, headerValue(exchange, 'host') || headerValue(exchange, ':authority')];
  if (headerValue(exchange, 'audit-id') !== '') headers.push(auditedHeader, 'true');
  if (headerValues(exchange, 'te').some((value) => /(?:^|,)\s*trailers\s*(?:$|[,;])/i.test(value)))
    headers.push('te', 'trailers');
  return headers;
}

const canceled = {
  status: 'Failure',
  message: 'error trying to reach service: context canceled',
  reason: 'ServiceUnavailable',
  code: 503,
};
/** What events tell of a client that left before the target has answered. */
const unanswered: GivenUp = {
  status: canceled,
  object: Buffer.from(JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, ...canceled })),
};

/** Such a request, with both bodies streamed. */
export class ProxiedRequest implements BackendRequest {
  readonly #exchange: Exchange;
  readonly #audit: RequestAudit | undefined;
  readonly #headers: readonly string[];
  #sent: ClientRequest | undefined;

  constructor(context: RequestContext) {
    const { exchange } = context;
    const length = exchange.hasBody ? announcedLength(exchange) : '0';
    this.#exchange = exchange;
    this.#audit = context.audit;
    this.#headers = [
      ...withoutNamed(exchange, [...forwardedHeaders(context), ...proxiedHeaders(context)]),
      ...(length === undefined ? ['transfer-encoding', 'chunked'] : ['content-length', length]),
      ...(exchange.expectsContinue ? ['expect', '100-continue'] : []),
    ];
  }

  sendTo(backend: Backend, handler: AnswerHandler): RelayedCall {
    const { method, path, query, hasBody, expectsContinue, body } = this.#exchange;
    const request = httpRequest({
      ...(hasBody ? { createConnection: () => backend.dial() } : { agent: backend.http1 }),
      method,
      path: query === '' ? path : `${path}?${query}`,
      headers: this.#headers,
      setHost: false,
    });
    this.#sent = request;
    const audit = this.#audit;
    audit?.noteIfGivenUp(unanswered);
    relayInformation(request, handler);
    let answer: IncomingMessage | undefined;
    request.on('response', (response) => {
      answer = response;
      takeMaterialOf(response, audit);
      audit?.noteIfGivenUp(brokenOff);
      response.on('end', () => audit?.noteIfGivenUp(undefined));
      handler.onHead(response.statusCode ?? 502, answerHeaders(response.rawHeaders));
      relayBodyTo(handler, response, response);
      // The answer is complete, so the rest of the request's body is not needed.
      response.on('end', () => {
        if (!request.writableFinished) request.destroy();
      });
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      audit?.noteIfGivenUp(undefined);
      handler.onError(new TransportError(error.message, error.syscall !== 'connect'));
    });
    if (expectsContinue) request.on('continue', () => body.pipe(request));
    else if (hasBody) body.pipe(request);
    else request.end();
    // A target may answer before the body begins.
    request.flushHeaders();
    return { resume: () => answer?.resume(), abort: () => request.destroy() };
  }

  /** Core may have closed a kept-alive connection just now. A body is not kept, so it cannot be sent again. */
  repeats(error: Error): 'never' | 'once' | 'always' {
    if (this.#exchange.hasBody) return 'never';
    if (error instanceof TransportError && !error.sent) return 'always';
    return this.#sent?.reusedSocket === true ? 'once' : 'never';
  }
}

/** Takes what a backend says for the audit events in a header of its answer. */
export function takeMaterialOf(answer: IncomingMessage, audit: RequestAudit | undefined): void {
  const header = answer.headers[materialHeader];
  if (audit === undefined || typeof header !== 'string') return;
  for (const message of header.split(',')) takeMaterial(audit, Buffer.from(message.trim(), 'base64'));
}

/** The headers without those that the client's `Connection` header names. */
function withoutNamed(exchange: Exchange, headers: readonly string[]): readonly string[] {
  const named = namedByConnection(headerValues(exchange, 'connection'));
  if (named.size === 0) return headers;
  return headers.filter(
    (_text, at) => !named.has((headers[at - (at % 2)] ?? '').toLowerCase()) || isOfHop(headers[at - (at % 2)] ?? ''),
  );
}

function isOfHop(name: string): boolean {
  return /^(?:host|audit-id|x-(?:remote|quarterdeck)-.*)$/i.test(name);
}
