import { mastersGroup } from '../authentication/authenticator.ts';
import type { Filter, RequestContext } from '../request/request-context.ts';
import { plainText } from './filter-tools.ts';

const readVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/**
 * At most so many reads and writes at a time, 0 for no limit; more are answered 429. system:masters always passes, so
 * that a jammed server can be looked at. Stands in for priority and fairness.
 */
export function withMaxInFlight(maxReads: number, maxWrites: number): Filter | undefined {
  if (maxReads === 0 && maxWrites === 0) return undefined;
  const serving = { read: 0, write: 0 };
  const limit = { read: maxReads, write: maxWrites };
  return (next) => (context) => {
    if (context.longRunning) return next(context);
    const kind = readVerbs.has(context.info.verb) ? 'read' : 'write';
    if (limit[kind] === 0) return next(context);
    if (serving[kind] >= limit[kind]) {
      if (context.user.groups.includes(mastersGroup)) return next(context);
      refuse(context);
      return;
    }
    serving[kind]++;
    context.exchange.onClose(() => serving[kind]--);
    return next(context);
  };
}

function refuse(context: RequestContext): void {
  context.exchange.send(429, { ...plainText, 'retry-after': '1' }, 'Too many requests, please try again later.\n');
}
