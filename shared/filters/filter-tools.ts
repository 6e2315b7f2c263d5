import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { escapeHtml } from '#shared/authorization/forbidden.ts';
import type { Exchange } from '#shared/request/exchange.ts';
import type { RequestContext } from '#shared/request/request-context.ts';

/** Answers with an error (a negotiated Status). Injected, since encoding a Status belongs to the endpoints. */
export type ErrorWriter = (context: RequestContext, error: unknown) => void;

/** Path and query as the client sent them. */
export function requestUri({ path, query }: Exchange): string {
  return query === '' ? path : `${path}?${query}`;
}

/** Answers as the reference's filters do for faults of their own (responsewriters.InternalError). */
export function sendInternalError(exchange: Exchange, message: string): void {
  const text = escapeHtml(`Internal Server Error: ${goQuote(requestUri(exchange))}: ${message}\n`);
  exchange.send(500, { ...plainText }, text);
}

export const plainText = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' } as const;

/** Answers that there are too many requests; the client is to wait that long. */
export function refuseOverload(exchange: Exchange, retryAfterSeconds: number): void {
  const headers = { ...plainText, 'retry-after': String(retryAfterSeconds) };
  exchange.send(429, headers, 'Too many requests, please try again later.\n');
}

/** A 403 of the chain carries this header in the reference; other errors do not. */
export function writeChainError(writeError: ErrorWriter, context: RequestContext, error: unknown): void {
  context.exchange.setHeader('x-content-type-options', 'nosniff');
  writeError(context, error);
}

/** Verbs of requests that change nothing; limits and metrics count these apart from all others. */
export const readVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

const longRunningVerbs: ReadonlySet<string> = new Set(['watch', 'proxy']);
const longRunningSubresources: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/**
 * Prefix of the requests that gateways send to backends on their own behalf, on internal listeners only. Their answers
 * are endless streams.
 */
export const internalPrefix = '/.quarterdeck/';

/** Watches, proxies and streams have no deadline and are not counted as in flight. */
export function isLongRunning(info: RequestContext['info']): boolean {
  if (longRunningVerbs.has(info.verb)) return true;
  if (info.isResourceRequest) return info.subresource !== '' && longRunningSubresources.has(info.subresource);
  return info.path.startsWith('/debug/pprof/') || info.path.startsWith(internalPrefix);
}
