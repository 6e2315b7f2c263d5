import { mastersGroup } from '#shared/authentication/contract/authenticator.ts';
import type { PhaseCount, ReadWriteMetrics } from '#shared/flowcontrol/metrics/read-write-metrics.ts';
import type { Filter, RequestContext } from '#shared/request/request-context.ts';
import { readVerbs, refuseOverload } from './filter-tools.ts';
import { RequestSeats } from './request-seats.ts';

/**
 * Limits the reads and the writes that are processed at a time, 0 for no limit; further requests are answered 429.
 * system:masters always passes, so that an overloaded server can be inspected. Used instead of priority and fairness.
 */
export function withMaxInFlight(maxReads: number, maxWrites: number, metrics: ReadWriteMetrics): Filter | undefined {
  if (maxReads === 0 && maxWrites === 0) return undefined;
  const reads = new RequestSeats(maxReads);
  const writes = new RequestSeats(maxWrites);
  const { readOnly, mutating } = metrics.executing;
  readOnly.ratio.setDenominator(maxReads);
  mutating.ratio.setDenominator(maxWrites);
  return (next) => (context) => {
    if (context.longRunning) return next(context);
    const isRead = readVerbs.has(context.info.verb);
    if ((isRead ? reads : writes).take(context)) count(context, isRead ? readOnly : mutating);
    else if (!context.user.groups.includes(mastersGroup)) {
      context.endedBy = 'dropped';
      return refuseOverload(context.exchange, 1);
    }
    return next(context);
  };
}

function count({ exchange }: RequestContext, executing: PhaseCount): void {
  executing.addNow(1);
  exchange.onAnswer(() => executing.addNow(-1));
}
