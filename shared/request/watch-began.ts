import { isTrueParameter } from './parse-request-info.ts';
import type { RequestContext } from './request-context.ts';

/**
 * The initial events of a watch have been sent. Where they are a whole list, the line of the request tells how soon.
 */
export function watchBegan(context: RequestContext): void {
  const { loggedMs, info, receivedAtMs, watchStart } = context;
  watchStart?.begun();
  if (loggedMs === undefined) return;
  const isList = ['sendInitialEvents', 'allowWatchBookmarks'].every((name) => isTrueParameter(info.query.get(name)));
  if (isList) loggedMs.push(['watchlist_init_latency', performance.now() - receivedAtMs]);
}
