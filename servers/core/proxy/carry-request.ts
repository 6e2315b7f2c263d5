import type { ClientRequest, IncomingMessage } from 'node:http';
import type { ProxyServer, ServerOptions } from 'http-proxy-3';
import type { NodeExchange } from '../../../shared/request/exchange.ts';
import type { TargetHeaders } from '../kubelet/target-headers.ts';
import type { ProxyTarget } from './target.ts';

/** One request on its way to a target. */
export interface CarriedRequest {
  readonly target: ProxyTarget;
  /** Path and query, as they go out. */
  readonly path: string;
  readonly headers: TargetHeaders;
  /** It may go over a connection that was used before. */
  readonly isRepeatable: boolean;
  onAnswer(answer: IncomingMessage): void;
  /** `wasReused`: the connection may have been closed by the target before the request came. */
  onError(error: Error, wasReused: boolean): void;
}

/**
 * Go's bound is 10 MiB (net/http, Transport.MaxResponseHeaderBytes); Node copies a field again for each piece of it
 * that comes.
 */
export const maxAnswerHeaderBytes = 1024 * 1024;
export const dialTimeoutMs = 30_000;
/** By the request of the client: the library tells of its own request in an event that all requests share. */
const underWay = new WeakMap<IncomingMessage, { readonly call: CarriedRequest; made?: ClientRequest }>();
let library: Promise<ProxyServer> | undefined;

/**
 * Sends a request on by http-proxy-3: it pipes the body, ends the target's request when the client goes away, and hands
 * over the answer. Headers and path are ours to the byte, so they are set where the library lets its request be
 * changed.
 */
export async function carryRequest({ request, response }: NodeExchange, call: CarriedRequest): Promise<void> {
  const proxy = await (library ??= load());
  underWay.set(request, { call });
  request.url = call.path;
  proxy.web(request, response, optionsFor(call), (error) => {
    const wasReused = underWay.get(request)?.made?.reusedSocket === true;
    call.onError(error, wasReused);
  });
}

function optionsFor({ target, isRepeatable }: CarriedRequest): ServerOptions {
  return {
    target: { protocol: `${target.scheme}:`, host: target.host, port: target.port },
    // Without it the library reads the path as a browser would, and changes it.
    toProxy: true,
    selfHandleResponse: true,
    connectTimeout: dialTimeoutMs,
    agent: target.agent(isRepeatable),
    // Node takes the server name for TLS from this header, which is replaced afterwards.
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
    made.on('upgrade', (answer, socket) => {
      socket.destroy();
      state.call.onError(new UnwantedUpgradeError(answer.headers.upgrade ?? ''), false);
    });
  });
  proxy.on('proxyRes', (answer, request) => underWay.get(request)?.call.onAnswer(answer));
  return proxy;
}

function setHeaders(made: ClientRequest, headers: TargetHeaders): void {
  for (const name of made.getHeaderNames()) made.removeHeader(name);
  // Go says nothing of a connection that it keeps.
  made.removeHeader('connection');
  for (const [name, value] of headers) made.setHeader(name, value);
}

/** The target answered 101 to a request that did not ask for it. */
export class UnwantedUpgradeError extends Error {
  override readonly name = 'UnwantedUpgradeError';
  constructor(protocol: string) {
    super(`backend tried to switch protocol ${JSON.stringify(protocol)} when "" was requested`);
  }
}
