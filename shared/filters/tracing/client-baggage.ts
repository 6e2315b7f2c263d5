import type { Exchange } from '#shared/request/exchange.ts';
import { headerValue } from '#shared/request/header-values.ts';

/** As much as W3C Baggage lets servers pass on; more is none, as in the reference. */
const maxBytes = 8192;

/**
 * The client's baggage, which goes along to servers that are called; undefined if there is none. What they may refuse
 * is left out: a client could make calls of webhooks fail by it.
 */
export function clientBaggage(exchange: Exchange): string | undefined {
  if (exchange.headers['baggage'] === undefined) return undefined;
  const text = headerValue(exchange, 'baggage');
  return text.length <= maxBytes && /^[\x21-\x7e][\x20-\x7e]*$/.test(text) ? text : undefined;
}
