import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { CollectedAnswer } from '#shared/request/collect-answer.ts';
import { WebhookCallError } from './webhook-call-error.ts';

/** A request of a call: the first one, or one that a redirect asks for. */
export interface Hop {
  /** As errors show it. */
  readonly url: string;
  readonly path: string;
  /** Whether the review is sent; otherwise the request is a GET. */
  readonly sendsBody: boolean;
  /** Of a request after a redirect: the one before. */
  readonly headers: { readonly referer?: string };
}

const maxHops = 10;
/** Codes that keep method and body, and those after which a GET follows. */
const keeping: ReadonlySet<number> = new Set([307, 308]);
const getting: ReadonlySet<number> = new Set([301, 302, 303]);

/**
 * The request that an answer asks for, as Go's HTTP client makes it; undefined for an answer that is the last one. An
 * answer that leads to another server is: a webhook could send the server's requests, credentials included, to any
 * address that the server can reach (CVE-2020-8561).
 * @throws WebhookCallError after too many redirects, or for one that leads nowhere
 */
export function nextHop({ status, headers: { location } }: CollectedAnswer, hops: readonly Hop[]): Hop | undefined {
  const last = hops.at(-1);
  if (last === undefined || typeof location !== 'string' || location === '') return undefined;
  if (!keeping.has(status) && !getting.has(status)) return undefined;
  const url = URL.parse(location, last.url);
  if (url === null) throw new WebhookCallError(`Post ${goQuote(last.url)}: ${unparsable(location)}`);
  if (url.origin !== new URL(last.url).origin) return undefined;
  if (hops.length >= maxHops)
    throw new WebhookCallError(`Post ${goQuote(location)}: stopped after ${maxHops} redirects`);
  const path = url.pathname + url.search;
  return {
    url: originOf(last.url) + path,
    path,
    sendsBody: last.sendsBody && keeping.has(status),
    headers: { referer: last.url },
  };
}

/** As written: `URL` leaves out the default port. */
function originOf(url: string): string {
  return /^[^:]+:\/\/[^/?#]*/.exec(url)?.[0] ?? '';
}

function unparsable(location: string): string {
  const quoted = goQuote(location);
  const fault = /^[^/]*\/\/\[[^\]]*$/.test(location) ? "missing ']' in host" : 'invalid URL';
  return `failed to parse Location header ${quoted}: parse ${quoted}: ${fault}`;
}
