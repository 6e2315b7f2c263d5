import { seatsTimesNs, type SeatSeconds } from '#shared/flowcontrol/work/seat-seconds.ts';
import { estimatedServiceNs, type FairQueue, type FairRequest } from './fair-request.ts';
import type { ReadingBounds } from './progress-meter.ts';

/** The queue whose turn it is, and where the oldest requests of all queues begin, for metrics. */
export interface NextQueue {
  readonly queue: FairQueue;
  readonly starts: ReadingBounds;
  readonly discounted: ReadingBounds;
}

/**
 * The queue whose oldest request ends first in the virtual world; among equals the one that is next in turn behind
 * `robinIndex`. @param waiting the queues with requests, at least one of `count` in all
 */
export function nextQueue(waiting: Iterable<FairQueue>, robinIndex: number, count: number): NextQueue {
  let next: FairQueue | undefined;
  let nextFinish = 0;
  let nextTurn = 0;
  const starts: ReadingBounds = { min: Infinity, max: -Infinity };
  const discounted: ReadingBounds = { min: Infinity, max: -Infinity };
  for (const queue of waiting) {
    widen(starts, queue.nextDispatchR);
    widen(discounted, queue.nextDispatchR - seatsTimesNs(queue.seatsInUse, estimatedServiceNs));
    const finish = queue.nextDispatchR + (queue.oldest as FairRequest).totalWork;
    const turn = (queue.index - robinIndex - 1 + count) % count;
    if (next !== undefined && (finish > nextFinish || (finish === nextFinish && turn > nextTurn))) continue;
    [next, nextFinish, nextTurn] = [queue, finish, turn];
  }
  return { queue: next as FairQueue, starts, discounted };
}

function widen(bounds: ReadingBounds, start: SeatSeconds): void {
  if (start < bounds.min) bounds.min = start;
  if (start > bounds.max) bounds.max = start;
}
