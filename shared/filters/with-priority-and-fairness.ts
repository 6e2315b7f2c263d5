import type { FlowControl } from '#shared/flowcontrol/flow-control.ts';
import type { ReadWriteMetrics } from '#shared/flowcontrol/metrics/read-write-metrics.ts';
import { RetryAfter } from '#shared/flowcontrol/retry-after.ts';
import type { Filter } from '#shared/request/request-context.ts';
import { FairTurn, type FairnessParts } from './fair-turn.ts';
import { SendingLimit } from './sending-limit.ts';
import { UnreadAnswers } from './unread-answers.ts';

export interface FairnessOptions {
  readonly flowControl: FlowControl;
  /** `--request-timeout`, for requests without a deadline of their own. */
  readonly requestTimeoutMs: number;
  /** The most requests of one user whose bodies have not arrived. */
  readonly maxSending: number;
  readonly readWrite: ReadWriteMetrics;
}

/**
 * Priority and fairness (KEP-1040): a request waits in a queue of its priority level until there are seats for it, or
 * is answered 429. While its client still sends the body, and when the client does not read the answer, others have its
 * seats. A watch holds them until its initial events have been sent.
 */
export function withPriorityAndFairness(options: FairnessOptions): Filter {
  const parts: FairnessParts = {
    flowControl: options.flowControl,
    requestTimeoutMs: options.requestTimeoutMs,
    readWrite: options.readWrite,
    sending: new SendingLimit(options.maxSending),
    unread: new UnreadAnswers(() => turnsWithSeats(options.flowControl)),
    retryAfter: new RetryAfter(),
  };
  return (next) => (context) => {
    if (context.longRunning && context.info.verb !== 'watch') return next(context);
    return new FairTurn(parts, context, next).begin();
  };
}

/** The requests that are being executed; those without limits have no seats that others want. */
function* turnsWithSeats({ levels }: FlowControl): Iterable<FairTurn> {
  for (const { configuration, queues } of levels.all) {
    if (configuration.isExempt) continue;
    for (const { arrival } of queues.executingWithoutQueue) if (arrival instanceof FairTurn) yield arrival;
    for (const { executing } of queues.queues)
      for (const { arrival } of executing) if (arrival instanceof FairTurn) yield arrival;
  }
}
