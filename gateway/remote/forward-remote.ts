import type { Buffer } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { PassThrough } from 'node:stream';
import type { Dispatcher } from 'undici';
import { asksForUpgrade } from '#shared/request/ask-for-upgrade.ts';
import type { OutgoingHeaders, ResponseStream } from '#shared/request/exchange.ts';
import { goNetworkError } from '#shared/request/go-network-error.ts';
import { announcedLength } from '#shared/request/header-values.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { answerHeaders } from './answer-headers.ts';
import { forwardUpgradeRemote } from './forward-upgrade-remote.ts';
import { remoteHeaders, requestTarget } from './remote-headers.ts';
import type { RemoteServer } from './remote-server.ts';
import type { ServiceAddress } from './resolve-service.ts';
import { sendText } from './send-text.ts';

/** Timeout of discovery requests, which clients wait for (apiserver/pkg/util/proxy). */
const discoveryTimeoutMs = 5000;
/** Answers up to this length are collected and sent as a whole. */
const wholeBytes = 32 * 1024;

/**
 * Forwards a request to a registered API server and streams the answer back. Resolves when the answer has begun.
 * Earlier failures are answered with plain text, as in the reference (kube-aggregator/pkg/apiserver/handler_proxy.go).
 */
export function forwardRemote(context: RequestContext, server: RemoteServer): void | Promise<void> {
  if (server.problem !== undefined) return sendText(context, 500, server.problem);
  let address: ServiceAddress;
  try {
    address = server.address();
  } catch {
    server.onFailure();
    return sendText(context, 503, 'service unavailable');
  }
  if (asksForUpgrade(context.exchange)) return forwardUpgradeRemote(context, server, address);
  return new Promise((resolve) => new Forwarding(context, server, address, resolve).start());
}

/** One request that is being forwarded. */
class Forwarding implements Dispatcher.DispatchHandler {
  readonly #context: RequestContext;
  readonly #server: RemoteServer;
  readonly #address: ServiceAddress;
  readonly #answered: () => void;
  readonly #body: PassThrough | null;
  #controller: Dispatcher.DispatchController | undefined;
  #stream: ResponseStream | undefined;
  /** A short answer while it is being collected. */
  #whole: { readonly status: number; readonly headers: OutgoingHeaders; readonly chunks: Buffer[] } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #retried = false;
  #over = false;

  constructor(context: RequestContext, server: RemoteServer, address: ServiceAddress, answered: () => void) {
    this.#context = context;
    this.#server = server;
    this.#address = address;
    this.#answered = answered;
    // The body goes through a PassThrough: undici destroys a stream at its end, and the client's may be used in both
    // directions.
    this.#body = context.exchange.hasBody ? context.exchange.body.pipe(new PassThrough()) : null;
    context.exchange.onClose(() => this.#end(new Error('the client is gone')));
    if (isDiscovery(context))
      this.#timer = setTimeout(() => this.#fail('context deadline exceeded'), discoveryTimeoutMs);
  }

  start(): void {
    const { exchange } = this.#context;
    const headers = remoteHeaders(this.#context, this.#address);
    const length = announcedLength(exchange);
    if (this.#body !== null && length !== undefined) headers.push('content-length', length);
    this.#server
      .dispatch(
        this.#address,
        { path: requestTarget(this.#context), method: exchange.method, headers, body: this.#body },
        this,
      )
      .catch((error: unknown) => this.#fail(goNetworkError(error, this.#address)));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#over) controller.abort(new Error('the client is gone'));
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, received: IncomingHttpHeaders): void {
    if (status < 200 || this.#over) return;
    const { exchange } = this.#context;
    // The request's deadline may have sent an answer already.
    if (exchange.responded) return this.#end(new Error('the request was answered'));
    clearTimeout(this.#timer);
    if (status >= 300 && status <= 399 && received.location !== undefined) {
      exchange.send(502, {}, 'the backend attempted to redirect this request, which is not permitted');
      return this.#end(new Error('redirected'));
    }
    const headers = answerHeaders(received);
    const length = Number(received['content-length'] ?? Number.NaN);
    if (length <= wholeBytes || exchange.method === 'HEAD' || status === 204 || status === 304) {
      this.#whole = { status, headers, chunks: [] };
      return;
    }
    this.#stream = exchange.stream(status, headers);
    this.#stream.onDrain(() => controller.resume());
    this.#answered();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#whole !== undefined) this.#whole.chunks.push(chunk);
    else if (this.#stream?.write(chunk) === false) controller.pause();
  }

  onResponseEnd(_controller: Dispatcher.DispatchController, trailers: IncomingHttpHeaders): void {
    if (this.#over) return;
    this.#over = true;
    const { exchange } = this.#context;
    if (this.#whole !== undefined) {
      const { status, headers, chunks } = this.#whole;
      if (!exchange.responded) exchange.send(status, headers, chunks.length === 0 ? undefined : chunks);
    } else if (Object.keys(trailers ?? {}).length > 0) this.#stream?.end(answerHeaders(trailers));
    else this.#stream?.end();
    this.#answered();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#over) return;
    if (this.#stream !== undefined) {
      this.#over = true;
      this.#stream.abort();
      return;
    }
    if (this.#mayRetry(error)) {
      this.#retried = true;
      this.#whole = undefined;
      this.start();
      return;
    }
    this.#fail(goNetworkError(error, this.#address));
  }

  /** Whether a read may be sent again: the server may have closed a kept-alive connection just now. */
  #mayRetry(error: Error): boolean {
    const { method } = this.#context.exchange;
    const code = (error as { code?: string }).code;
    return (
      !this.#retried &&
      this.#body === null &&
      (method === 'GET' || method === 'HEAD') &&
      (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET')
    );
  }

  #fail(text: string): void {
    this.#server.onFailure();
    sendText(this.#context, 503, `error trying to reach service: ${text}`);
    this.#end(new Error(text));
  }

  /** Ends the forwarding, and aborts the request to the server if it has not ended. */
  #end(reason: Error): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#controller?.abort(reason);
    this.#answered();
  }
}

/** Whether the path is `/apis/<group>/<version>`: three segments and no resource. */
function isDiscovery({ info }: RequestContext): boolean {
  return !info.isResourceRequest && info.path.split('/').filter((segment) => segment !== '').length === 3;
}
