import type { RequestContext } from '../request/request-context.ts';

/** Turns an error into the answer (a negotiated Status); injected, since the encoding of Status is the endpoints'. */
export type ErrorWriter = (context: RequestContext, error: unknown) => void;

export const plainText = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' } as const;

/** A 403 of the chain carries this header in the reference; other errors do not. */
export function writeChainError(writeError: ErrorWriter, context: RequestContext, error: unknown): void {
  context.exchange.setHeader('x-content-type-options', 'nosniff');
  writeError(context, error);
}

const longRunningVerbs: ReadonlySet<string> = new Set(['watch', 'proxy']);
const longRunningSubresources: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/** What gateways ask of backends on their own behalf, on internal listeners only: streams without an end. */
export const internalPrefix = '/.quarterdeck/';

/** Watches, proxies and streams have no deadline and are not counted as in flight. */
export function isLongRunning(info: RequestContext['info']): boolean {
  if (longRunningVerbs.has(info.verb)) return true;
  if (info.isResourceRequest) return info.subresource !== '' && longRunningSubresources.has(info.subresource);
  return info.path.startsWith('/debug/pprof/') || info.path.startsWith(internalPrefix);
}
