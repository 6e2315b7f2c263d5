import { parseFieldSelector, requiredFieldValue } from '#shared/apimachinery/selectors/fields.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { beginsWithObjects } from '#shared/flowcontrol/estimates/estimate-work.ts';
import type { Classification, FlowControl } from '#shared/flowcontrol/flow-control.ts';
import type { PhaseCount, ReadWriteMetrics, RequestKind } from '#shared/flowcontrol/metrics/read-write-metrics.ts';
import type { FairRequest } from '#shared/flowcontrol/queueset/fair-request.ts';
import { RetryAfter } from '#shared/flowcontrol/retry-after.ts';
import type { WorkEstimate } from '#shared/flowcontrol/work/work-estimate.ts';
import type { FlowFacts } from '#shared/request/flow-facts.ts';
import type { Filter, Handler, RequestContext } from '#shared/request/request-context.ts';
import type { WatchStartSignal } from '#shared/request/watch-start.ts';
import { readVerbs, refuseOverload } from './filter-tools.ts';
import { SendingLimit } from './sending-limit.ts';
import { UnreadAnswers } from './unread-answers.ts';

/** A request waits for a quarter of its time, but no longer than this (apiserver/pkg/server/filters). */
const longestWaitMs = 60_000;
/** Longer ones are not read here, since that takes time. */
const longestSelector = 1_000;

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
  const shared = {
    options,
    sending: new SendingLimit(options.maxSending),
    unread: new UnreadAnswers(),
    retryAfter: new RetryAfter(),
  };
  return (next) => (context) => {
    if (context.longRunning && context.info.verb !== 'watch') return next(context);
    return new Turn(shared, context, next).begin();
  };
}

interface Shared {
  readonly options: FairnessOptions;
  readonly sending: SendingLimit;
  readonly unread: UnreadAnswers;
  readonly retryAfter: RetryAfter;
}

/** One request on its way through the queues. */
class Turn implements FlowFacts {
  readonly #shared: Shared;
  readonly #context: RequestContext;
  readonly #next: Handler;
  readonly #classification: Classification;
  readonly #estimate: WorkEstimate;
  #onExecute: (() => void) | undefined;
  #startedAtMs = 0;
  executionMs: number | undefined;

  constructor(shared: Shared, context: RequestContext, next: Handler) {
    this.#shared = shared;
    this.#context = context;
    this.#next = next;
    const { flowControl } = shared.options;
    this.#classification = flowControl.classify(context.info, context.user);
    this.#estimate = flowControl.estimate(context.info, this.#classification);
    context.flow = this;
  }

  get #kind(): RequestKind {
    return readVerbs.has(this.#context.info.verb) ? 'readOnly' : 'mutating';
  }

  get flowSchema(): string {
    return this.#classification.schema.name;
  }

  get priorityLevel(): string {
    return this.#classification.level.configuration.name;
  }

  get initialSeats(): number {
    return this.#estimate.initialSeats;
  }

  get finalSeats(): number {
    return this.#estimate.finalSeats;
  }

  get additionalLatencyNs(): number {
    return this.#estimate.additionalLatencyNs;
  }

  get initLatencyMs(): number | undefined {
    return this.#context.info.verb === 'watch' ? this.executionMs : undefined;
  }

  begin(): void | Promise<void> {
    const { schema, level, flowDistinguisher, hash } = this.#classification;
    const { exchange, info, user } = this.#context;
    exchange.setHeader('x-kubernetes-pf-flowschema-uid', schema.uid);
    exchange.setHeader('x-kubernetes-pf-prioritylevel-uid', level.configuration.uid);
    const request = level.queues.start({
      flowSchema: schema.name,
      flowDistinguisher,
      hash,
      user,
      info,
      estimate: this.#estimate,
      onExecute: () => this.#onExecute?.(),
    });
    const isQueued = level.configuration.queueing.queues > 0;
    const waiting = isQueued ? this.#shared.options.readWrite.waiting[this.#kind] : undefined;
    waiting?.add(1);
    if (request?.state === 'waiting') return this.#wait(request, waiting);
    waiting?.add(-1);
    this.#countWait(request !== undefined, 0);
    return request === undefined ? this.#refuse() : this.#run(request);
  }

  async #wait(request: FairRequest, waiting: PhaseCount | undefined): Promise<void> {
    const { queues } = this.#classification.level;
    const { unread } = this.#shared;
    const arrivedMs = performance.now();
    unread.beginWait();
    const begins = await new Promise<boolean>((resolve) => {
      const cancel = (reason: 'time-out' | 'cancelled'): void => {
        queues.cancel(request, reason);
        resolve(false);
      };
      const timer = setTimeout(() => cancel('time-out'), this.#waitMs());
      this.#onExecute = () => {
        clearTimeout(timer);
        resolve(true);
      };
      this.#context.exchange.onClose(() => {
        clearTimeout(timer);
        cancel('cancelled');
      });
    });
    unread.endWait();
    waiting?.add(-1);
    const waitedMs = performance.now() - arrivedMs;
    this.#context.queuedMs = waitedMs;
    this.#countWait(begins, waitedMs / 1_000);
    this.#context.audit?.noteLatency('apf-queue-wait', waitedMs);
    if (begins) return this.#run(request);
    if (!this.#context.exchange.responded) this.#refuse();
  }

  #run(request: FairRequest): void | Promise<void> {
    const { exchange } = this.#context;
    const { queues } = this.#classification.level;
    this.#beginExecution();
    const end = (): void => {
      this.#endExecution();
      queues.finish(request);
    };
    if (exchange.responded || exchange.closed) return end();
    if (!this.#awaitBody(request)) {
      end();
      return this.#refuse();
    }
    const followed = this.#shared.unread.follow(exchange, end);
    exchange.onComplete(end);
    if (this.#context.info.verb === 'watch')
      this.#beginWatch(() => {
        this.#shared.unread.forget(followed);
        end();
      });
    return this.#next(this.#context);
  }

  #beginExecution(): void {
    this.#startedAtMs = performance.now();
    this.#shared.options.readWrite.executing[this.#kind].add(1);
  }

  /** Also when seats were given back before the end. */
  #endExecution(): void {
    if (this.executionMs !== undefined) return;
    this.executionMs = performance.now() - this.#startedAtMs;
    this.#shared.options.readWrite.executing[this.#kind].add(-1);
    this.#classification.observer.executed(this.#context.info.verb === 'watch', this.executionMs / 1_000);
  }

  /** Gives the seats back until the body is there. False if the user sends too many bodies. */
  #awaitBody(request: FairRequest): boolean {
    const { exchange, user } = this.#context;
    const { sending } = this.#shared;
    const { queues } = this.#classification.level;
    let isSending = exchange.awaitsBody(() => {
      // The request was refused or answered before its body arrived.
      if (!isSending) return;
      isSending = false;
      sending.remove(user.name);
      queues.resume(request);
    });
    if (!isSending) return true;
    if (!sending.add(user.name)) return (isSending = false);
    queues.suspend(request);
    exchange.onAnswer(() => {
      if (!isSending) return;
      isSending = false;
      sending.remove(user.name);
    });
    return true;
  }

  /** Counts the watch, and has its seats given back when it has begun. */
  #beginWatch(end: () => void): void {
    const { exchange, info } = this.#context;
    exchange.onClose(
      this.#shared.options.flowControl.watches.begin(info, (field) => wanted(info.fieldSelector, field)),
    );
    const start: WatchStartSignal = { isTold: false, begun: end };
    this.#context.watchStart = start;
    exchange.onAnswer(() => {
      if (!start.isTold || !beginsWithObjects(info)) end();
    });
  }

  #countWait(isExecuted: boolean, seconds: number): void {
    const { level, observer } = this.#classification;
    if (!level.configuration.isExempt) observer.waited(isExecuted, seconds);
  }

  #refuse(): void {
    this.#context.endedBy = 'dropped';
    this.#shared.unread.noteRefusal();
    const seconds = this.#shared.retryAfter.dropped(
      this.#classification.level.configuration.name,
      Math.floor(performance.now() / 1_000),
    );
    refuseOverload(this.#context.exchange, seconds);
  }

  #waitMs(): number {
    const { deadlineMs, receivedAtMs } = this.#context;
    const allottedMs = deadlineMs === undefined ? this.#shared.options.requestTimeoutMs : deadlineMs - receivedAtMs;
    return Math.max(0, receivedAtMs + Math.min(allottedMs / 4, longestWaitMs) - performance.now());
  }
}

/** The value that the selector demands for a field; selectors that are refused later demand nothing. */
function wanted(selector: string, field: string): string | undefined {
  if (selector.length > longestSelector) return undefined;
  try {
    return requiredFieldValue(atOnce(parseFieldSelector(selector)), field);
  } catch {
    return undefined;
  }
}
