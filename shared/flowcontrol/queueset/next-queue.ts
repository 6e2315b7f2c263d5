import type { FairQueue, FairRequest } from './fair-request.ts';

/**
 * The queue whose oldest request ends first in the virtual world; among equals the one that is next in turn behind
 * `robinIndex`. @param waiting the queues with requests, at least one of `count` in all
 */
export function nextQueue(waiting: Iterable<FairQueue>, robinIndex: number, count: number): FairQueue {
  let next: FairQueue | undefined;
  let nextFinish = 0;
  let nextTurn = 0;
  for (const queue of waiting) {
    const finish = queue.nextDispatchR + (queue.oldest as FairRequest).totalWork;
    const turn = (queue.index - robinIndex - 1 + count) % count;
    if (next !== undefined && (finish > nextFinish || (finish === nextFinish && turn > nextTurn))) continue;
    [next, nextFinish, nextTurn] = [queue, finish, turn];
  }
  return next as FairQueue;
}
