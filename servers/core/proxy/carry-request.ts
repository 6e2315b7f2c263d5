import type { ClientRequest, IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { ProxyServer, ServerOptions } from 'http-proxy-3';
import type { TargetHeaders } from '#servers/core/kubelet/target-headers.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { NodeExchange } from '#shared/request/exchange.ts';
import type { ProxyTarget } from './target.ts';

/** One request on its way to a target. */
export interface CarriedRequest {
  readonly target: ProxyTarget;
  /** Path and query as they are sent. */
  readonly path: string;
  readonly headers: TargetHeaders;
  /** The request may use a kept-alive connection. */
  readonly isRepeatable: boolean;
  /** The body is read only when there is a connection to the target. */
  readonly waitsForBody: boolean;
  /** Called with the request to the target before it is sent. */
  onRequest(made: ClientRequest): void;
  onAnswer(answer: IncomingMessage): void;
  /** `wasReused`: the connection was kept alive, so the target may have closed it before the request arrived. */
  onError(error: Error, wasReused: boolean): void;
}

/**
 * Lower than Go's limit of 10 MiB (net/http, Transport.MaxResponseHeaderBytes), because Node copies a header field
 * again for each piece of it that arrives.
 */
export const maxAnswerHeaderBytes = 1024 * 1024;
export const dialTimeoutMs = 30_000;
/** State by the client's request, since the library emits events for all requests on one proxy object. */
const underWay = new WeakMap<
  IncomingMessage,
  { readonly call: CarriedRequest; readonly body?: PassThrough; made?: ClientRequest }
>();
let library: Promise<ProxyServer> | undefined;

/**
 * Sends a request on with http-proxy-3, which pipes the body, aborts the target's request when the client disconnects,
 * and returns the response. Headers and path must be exact to the byte, so they are set in the event in which the
 * library lets its request be changed.
 */
export async function carryRequest({ request, response }: NodeExchange, call: CarriedRequest): Promise<void> {
  const proxy = await (library ??= load());
  const body = call.waitsForBody ? new PassThrough() : undefined;
  underWay.set(request, { call, ...(body === undefined ? {} : { body }) });
  request.url = call.path;
  const options = body === undefined ? optionsFor(call) : { ...optionsFor(call), buffer: body };
  proxy.web(request, response, options, (error) => {
    const wasReused = underWay.get(request)?.made?.reusedSocket === true;
    call.onError(error, wasReused);
  });
}

function optionsFor({ target, isRepeatable }: CarriedRequest): ServerOptions {
  return {
    target: { protocol: `${target.scheme}:`, host: target.host, port: target.port },
    // Without this option the library parses the path like a browser and changes it.
    toProxy: true,
    selfHandleResponse: true,
    connectTimeout: dialTimeoutMs,
    agent: target.agent(isRepeatable),
    // Node uses this header as the TLS server name; it is replaced afterwards.
    headers: { host: target.authority },
    ssl: { maxHeaderSize: maxAnswerHeaderBytes, ...(target.lookup === undefined ? {} : { lookup: target.lookup }) },
  };
}

async function load(): Promise<ProxyServer> {
  const { createProxyServer } = await import('http-proxy-3');
  const proxy = createProxyServer({});
  proxy.on('proxyReq', (made, request) => {
    const state = underWay.get(request);
    if (state === undefined) return;
    state.made = made;
    setHeaders(made, state.call.headers);
    state.call.onRequest(made);
    const { body } = state;
    if (body !== undefined) whenConnected(made, () => request.pipe(body));
    made.on('upgrade', (answer, socket) => {
      socket.destroy();
      state.call.onError(new UnwantedUpgradeError(answer.headers.upgrade ?? ''), false);
    });
  });
  proxy.on('proxyRes', (answer, request) => underWay.get(request)?.call.onAnswer(answer));
  return proxy;
}

function whenConnected(made: ClientRequest, then: () => void): void {
  const { socket } = made;
  if (socket?.connecting === true) socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', then);
  else then();
}

function setHeaders(made: ClientRequest, headers: TargetHeaders): void {
  for (const name of made.getHeaderNames()) made.removeHeader(name);
  // Go sends no `Connection` header for a kept-alive connection.
  made.removeHeader('connection');
  for (const [name, value] of headers) made.setHeader(name, value);
}

/** The target answered 101 to a request that did not ask for it. */
export class UnwantedUpgradeError extends Error {
  override readonly name = 'UnwantedUpgradeError';
  constructor(protocol: string) {
    super(`backend tried to switch protocol ${goQuote(protocol)} when "" was requested`);
  }
}
