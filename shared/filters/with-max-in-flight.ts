import { mastersGroup } from '#shared/authentication/contract/authenticator.ts';
import type { Filter } from '#shared/request/request-context.ts';
import { readVerbs, refuseOverload } from './filter-tools.ts';
import { RequestSeats } from './request-seats.ts';

/**
 * Limits the reads and the writes that are processed at a time, 0 for no limit; further requests are answered 429.
 * system:masters always passes, so that an overloaded server can be inspected. Used instead of priority and fairness.
 */
export function withMaxInFlight(maxReads: number, maxWrites: number): Filter | undefined {
  if (maxReads === 0 && maxWrites === 0) return undefined;
  const reads = new RequestSeats(maxReads);
  const writes = new RequestSeats(maxWrites);
  return (next) => (context) => {
    if (context.longRunning) return next(context);
    const seats = readVerbs.has(context.info.verb) ? reads : writes;
    if (!seats.take(context) && !context.user.groups.includes(mastersGroup)) return refuseOverload(context.exchange, 1);
    return next(context);
  };
}
