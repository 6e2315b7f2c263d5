import type { Filter } from '#shared/request/request-context.ts';

/** `Cache-Control: no-cache, private` unless a handler sets another value: answers depend on the user. */
export function withCacheControl(): Filter {
  return (next) => (context) => {
    context.exchange.setHeader('cache-control', 'no-cache, private');
    return next(context);
  };
}

/** Sets Strict-Transport-Security if directives are configured. */
export function withHsts(directives: readonly string[]): Filter | undefined {
  if (directives.length === 0) return undefined;
  const value = directives.join('; ');
  return (next) => (context) => {
    context.exchange.setHeader('strict-transport-security', value);
    return next(context);
  };
}

/** Asks HTTP/2 clients to reconnect, with the given chance per request, so that clients spread over servers. */
export function withProbabilisticGoaway(chance: number, random: () => number = Math.random): Filter | undefined {
  if (chance <= 0) return undefined;
  return (next) => (context) => {
    if (context.exchange.httpVersion === '2.0' && random() < chance) context.exchange.setHeader('connection', 'close');
    return next(context);
  };
}
