import { Buffer } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { brokenOff } from '#gateway/proxy/broken-off.ts';
import { hopSpan } from '#gateway/proxy/hop-span.ts';
import { CertificateCounters } from '#shared/egress/certificates/certificate-counters.ts';
import { weaknessAnnotation, weaknessesIn, type Weakness } from '#shared/egress/certificates/weak-certificates.ts';
import { asksForUpgrade } from '#shared/request/ask-for-upgrade.ts';
import type { OutgoingHeaders } from '#shared/request/exchange.ts';
import { goNetworkError } from '#shared/request/go-network-error.ts';
import { announcedLength } from '#shared/request/header-values.ts';
import { LazyBody } from '#shared/request/lazy-body.ts';
import { parsedAnswerHeaders } from '#shared/request/relay/connection-headers.ts';
import { relay, type AnswerHandler, type RelayedCall, type RelayRoute } from '#shared/request/relay/relay.ts';
import type { GivenUp } from '#shared/request/request-audit.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import type { ServiceAddress } from '#shared/services/resolve-service.ts';
import { runInSpan } from '#shared/spans/active-span.ts';
import { forwardUpgradeRemote } from './forward-upgrade-remote.ts';
import { remoteHeaders, requestTarget } from './remote-headers.ts';
import type { RemoteServer } from './remote-server.ts';
import { sendText } from './send-text.ts';

/** Counts all registered servers that requests are sent to. */
export const remoteCertificates = new CertificateCounters('kube_aggregator');
/** Timeout of discovery requests, which clients wait for (apiserver/pkg/util/proxy). */
const discoveryTimeoutMs = 5000;
/** Answers up to this length are collected and sent as a whole. */
const wholeBytes = 32 * 1024;
const unanswered: GivenUp = { status: { code: 503 } };
const redirected = Buffer.from('the backend attempted to redirect this request, which is not permitted');

/**
 * Forwards a request to a registered API server and streams the answer back. Resolves when the answer has begun.
 * Earlier failures are answered with plain text, as in the reference (kube-aggregator/pkg/apiserver/handler_proxy.go).
 */
export function forwardRemote(context: RequestContext, server: RemoteServer): void | Promise<void> {
  const span = hopSpan(context);
  return span === undefined ? forwardTo(context, server) : runInSpan(span, forwardTo, context, server);
}

function forwardTo(context: RequestContext, server: RemoteServer): void | Promise<void> {
  if (server.problem !== undefined) return sendText(context, 500, server.problem);
  let address: ServiceAddress;
  try {
    address = server.address();
  } catch {
    server.onFailure();
    return sendText(context, 503, 'service unavailable');
  }
  if (asksForUpgrade(context.exchange)) return forwardUpgradeRemote(context, server, address);
  return relay(context.exchange, new RemoteRoute(context, server, address));
}

/** The way of a request to a registered server. */
class RemoteRoute implements RelayRoute {
  readonly #context: RequestContext;
  readonly #server: RemoteServer;
  readonly #address: ServiceAddress;
  readonly #body: LazyBody | null;
  #timer: NodeJS.Timeout | undefined;
  #call: RemoteCall | undefined;
  #wasRepeated = false;

  constructor(context: RequestContext, server: RemoteServer, address: ServiceAddress) {
    const { exchange } = context;
    this.#context = context;
    this.#server = server;
    this.#address = address;
    // undici destroys a stream at its end, and the client's may be used in both directions.
    this.#body = exchange.hasBody ? new LazyBody(exchange.body) : null;
  }

  send(handler: AnswerHandler): RelayedCall {
    const { exchange, audit } = this.#context;
    audit?.noteIfGivenUp(unanswered);
    if (isDiscovery(this.#context))
      this.#timer ??= setTimeout(() => {
        handler.onError(new Error('context deadline exceeded'));
        this.#call?.abort();
      }, discoveryTimeoutMs);
    const headers = remoteHeaders(this.#context, this.#address, this.#server);
    const length = announcedLength(exchange);
    if (this.#body !== null && length !== undefined) headers.push('content-length', length);
    const call = (this.#call = new RemoteCall(handler, {
      isHead: exchange.method === 'HEAD',
      forwardsRedirects: this.#server.forwardsRedirects,
      timer: this.#timer,
    }));
    this.#server
      .dispatch(
        this.#address,
        { path: requestTarget(this.#context), method: exchange.method, headers, body: this.#body },
        call,
      )
      .catch((error: Error) => handler.onError(error));
    return call;
  }

  onAnswer(): void {
    this.#noteCertificates(this.#server.weaknessesAt(this.#address));
    this.#context.audit?.noteIfGivenUp(brokenOff);
  }

  onEnd(): void {
    this.#context.audit?.noteIfGivenUp(undefined);
  }

  /** A read is sent again if the server may have closed a kept-alive connection just now. */
  resend(error: Error & { readonly code?: string }, handler: AnswerHandler): RelayedCall | undefined {
    const { method } = this.#context.exchange;
    const isLost = error.code === 'UND_ERR_SOCKET' || error.code === 'ECONNRESET';
    const isRead = this.#body === null && (method === 'GET' || method === 'HEAD');
    if (!isLost || !isRead || this.#wasRepeated) return undefined;
    this.#wasRepeated = true;
    return this.send(handler);
  }

  refuse(error: Error): undefined {
    this.#server.onFailure();
    const text = goNetworkError(error, this.#address);
    this.#noteCertificates(weaknessesIn(text));
    sendText(this.#context, 503, `error trying to reach service: ${text}`);
  }

  #noteCertificates(weaknesses: readonly Weakness[]): void {
    for (const weakness of weaknesses) {
      remoteCertificates.count(weakness);
      this.#context.audit?.annotate(...weaknessAnnotation(weakness, hostOf(this.#address)));
    }
  }

  onOver(): void {
    clearTimeout(this.#timer);
  }
}

interface RemoteCallOptions {
  readonly isHead: boolean;
  readonly forwardsRedirects: boolean;
  /** Ends when the answer begins. */
  readonly timer: NodeJS.Timeout | undefined;
}

/** A request that was given to undici. */
class RemoteCall implements Dispatcher.DispatchHandler, RelayedCall {
  readonly #handler: AnswerHandler;
  readonly #options: RemoteCallOptions;
  #controller: Dispatcher.DispatchController | undefined;
  #isAborted = false;
  /** A short answer while it is being collected. */
  #whole: { readonly status: number; readonly headers: OutgoingHeaders; readonly chunks: Buffer[] } | undefined;

  constructor(handler: AnswerHandler, options: RemoteCallOptions) {
    this.#handler = handler;
    this.#options = options;
  }

  resume(): void {
    this.#controller?.resume();
  }

  abort(): void {
    this.#isAborted = true;
    this.#controller?.abort(new Error('the answer is not wanted'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isAborted) this.abort();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, received: IncomingHttpHeaders): void {
    if (this.#isAborted) return;
    if (status < 200) return this.#handler.onInformation?.(status, parsedAnswerHeaders(received));
    const { isHead, forwardsRedirects, timer } = this.#options;
    clearTimeout(timer);
    if (!forwardsRedirects && status >= 300 && status <= 399 && received.location !== undefined) {
      this.#handler.onWhole(502, {}, redirected);
      return this.abort();
    }
    const headers = parsedAnswerHeaders(received);
    const length = Number(received['content-length'] ?? Number.NaN);
    if (length <= wholeBytes || isHead || status === 204 || status === 304)
      this.#whole = { status, headers, chunks: [] };
    else this.#handler.onHead(status, headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#whole !== undefined) this.#whole.chunks.push(chunk);
    else if (!this.#handler.onData(chunk)) controller.pause();
  }

  onResponseEnd(_controller: Dispatcher.DispatchController, trailers: IncomingHttpHeaders): void {
    if (this.#whole === undefined) {
      this.#handler.onEnd(Object.keys(trailers ?? {}).length > 0 ? parsedAnswerHeaders(trailers) : undefined);
      return;
    }
    const { status, headers, chunks } = this.#whole;
    this.#handler.onWhole(status, headers, chunks.length === 0 ? undefined : Buffer.concat(chunks));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    // An answer that has begun is neither repeated nor refused.
    if (this.#whole !== undefined) {
      const { status, headers, chunks } = this.#whole;
      this.#handler.onHead(status, headers);
      for (const chunk of chunks) this.#handler.onData(chunk);
    }
    this.#handler.onError(error);
  }
}

/** The host of an address, without brackets. */
function hostOf(address: ServiceAddress): string {
  return address.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
}

/** Whether the path is `/apis/<group>/<version>`: three segments and no resource. */
function isDiscovery({ info }: RequestContext): boolean {
  return !info.isResourceRequest && info.path.split('/').filter((segment) => segment !== '').length === 3;
}
