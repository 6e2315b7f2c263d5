import type { Filter } from '#shared/request/request-context.ts';
import { watchBegunNote } from '#shared/request/watch-start.ts';

/** The backend's part in the seats of watches: tells the gateway when their initial events have been sent. */
export function withWatchStart(): Filter {
  return (next) => (context) => {
    const { exchange, info } = context;
    if (info.verb === 'watch' && exchange.sendNote !== undefined)
      context.watchStart = { isTold: true, begun: () => exchange.sendNote?.(watchBegunNote) };
    return next(context);
  };
}
