import { Buffer } from 'node:buffer';
import { takeMaterial } from '#shared/audit/material/hop-material.ts';
import { asksForUpgrade } from '#shared/request/ask-for-upgrade.ts';
import { isNotCounted } from '#shared/request/counted-as.ts';
import { announcedLength } from '#shared/request/header-values.ts';
import { relay, type AnswerHandler, type RelayedCall } from '#shared/request/relay/relay.ts';
import type { RequestAudit } from '#shared/request/request-audit.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { watchBegan } from '#shared/request/watch-began.ts';
import { isWatchBegunNote } from '#shared/request/watch-start.ts';
import { addWebhookTime, readWebhookTime } from '#shared/request/webhook-time.ts';
import { runInSpan } from '#shared/spans/active-span.ts';
import type { BackendPool } from './backend-pool.ts';
import type { Backend } from './backend.ts';
import { forwardUpgrade } from './forward-upgrade.ts';
import { ownHeaderLines, sharedHeaderLines } from './forwarded-headers.ts';
import { hopSpan } from './hop-span.ts';
import { ForwardedBody } from './hop/request-body.ts';
import { TransportError, type ForwardRequest } from './hop/transport.ts';
import { pickOrRefuse } from './pick-backend.ts';
import { PoolRoute, type BackendRequest } from './pool-route.ts';
import { isProxied, ProxiedRequest } from './proxied-request.ts';

/** Tells a call of a server of the system from that of a registered one, in OpenTelemetry's terms. */
const ownServer = { 'peer.service': 'kube-apiserver' };

/**
 * Forwards a request to a backend of the pool and streams the answer back. Resolves when the answer has begun; rejects
 * with a 503 StatusError when no backend answered (with Retry-After only if the request cannot have changed anything).
 */
export function forward(context: RequestContext, pool: BackendPool): Promise<void> {
  const span = hopSpan(context, ownServer);
  return span === undefined ? forwardTo(context, pool) : runInSpan(span, forwardTo, context, pool);
}

function forwardTo(context: RequestContext, pool: BackendPool): Promise<void> {
  if (asksForUpgrade(context.exchange)) return forwardUpgrade(context, pickOrRefuse(pool, undefined));
  const request = isProxied(context) ? new ProxiedRequest(context) : new ClientRequest(context);
  return relay(context.exchange, new PoolRoute(pool, request));
}

/** A client's request in the form that is sent over the hop. */
class ClientRequest implements ForwardRequest, BackendRequest {
  readonly method: string;
  readonly target: string;
  readonly ownLines: string;
  readonly body: ForwardedBody | undefined;
  readonly #context: RequestContext;
  #bodyIsObject = false;

  constructor(context: RequestContext) {
    const { exchange } = context;
    const { method, path, query } = exchange;
    const length = announcedLength(exchange);
    this.#context = context;
    if (context.watchStart !== undefined) context.watchStart.isTold = true;
    this.method = method;
    this.target = query === '' ? path : `${path}?${query}`;
    const lengthLine = length === undefined ? '' : `content-length: ${length}\r\n`;
    const expectLine = exchange.expectsContinue ? 'expect: 100-continue\r\n' : '';
    this.ownLines = `${ownHeaderLines(context)}${lengthLine}${expectLine}`;
    this.body = exchange.hasBody ? new ForwardedBody(exchange.bodyFlow(), exchange.expectsContinue) : undefined;
  }

  /**
   * Built for every send and never kept: with HPACK, some hundred bytes from a client can become a megabyte of header
   * lines, which a watch would hold for its whole duration.
   */
  get sharedLines(): string {
    return sharedHeaderLines(this.#context);
  }

  sendTo(backend: Backend, handler: AnswerHandler): RelayedCall {
    const { audit } = this.#context;
    audit?.forgetObjects();
    this.#bodyIsObject = false;
    return backend.transport.forward(this, audit?.keepsResponse === true ? this.#noting(audit, handler) : handler);
  }

  takeNote(message: Uint8Array): void {
    if (isWatchBegunNote(message)) return watchBegan(this.#context);
    const { audit } = this.#context;
    const webhookMs = readWebhookTime(message);
    if (webhookMs !== undefined) addWebhookTime(this.#context, webhookMs);
    else if (isNotCounted(message)) this.#context.countedAs = undefined;
    else if (audit !== undefined && takeMaterial(audit, message) === 'body') this.#bodyIsObject = true;
  }

  /** Copies the body of the answer for the audit event, where the backend says that it is the object. */
  #noting(audit: RequestAudit, handler: AnswerHandler): AnswerHandler {
    const note = (bytes: Uint8Array | undefined): void => {
      if (this.#bodyIsObject && bytes !== undefined) audit.noteResponse(Buffer.from(bytes));
    };
    return {
      onWhole(status, headers, body) {
        note(body);
        handler.onWhole(status, headers, body);
      },
      onHead: (status, headers) => handler.onHead(status, headers),
      onData(chunk, written) {
        note(chunk);
        return handler.onData(chunk, written);
      },
      onEnd: (trailers) => handler.onEnd(trailers),
      onError: (error) => handler.onError(error),
    };
  }

  repeats(error: Error): 'never' | 'once' | 'always' {
    if (error instanceof TransportError && !error.sent) return 'always';
    const isRead = this.method === 'GET' || this.method === 'HEAD';
    return isRead && this.body?.isSettled !== true ? 'once' : 'never';
  }
}
