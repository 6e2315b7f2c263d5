import { parseFieldSelector, requiredFieldValue } from '#shared/apimachinery/selectors/fields.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import type { Classification, FlowControl } from '#shared/flowcontrol/flow-control.ts';
import type { FairRequest } from '#shared/flowcontrol/queueset/fair-request.ts';
import { RetryAfter } from '#shared/flowcontrol/retry-after.ts';
import type { Filter, Handler, RequestContext } from '#shared/request/request-context.ts';
import { refuseOverload } from './filter-tools.ts';
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
}

/**
 * Priority and fairness (KEP-1040): a request waits in a queue of its priority level until there are seats for it, or
 * is answered 429. While its client still sends the body, and when the client does not read the answer, others have its
 * seats. A watch holds them until its answer begins.
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
class Turn {
  readonly #shared: Shared;
  readonly #context: RequestContext;
  readonly #next: Handler;
  readonly #classification: Classification;
  #onExecute: (() => void) | undefined;

  constructor(shared: Shared, context: RequestContext, next: Handler) {
    this.#shared = shared;
    this.#context = context;
    this.#next = next;
    this.#classification = shared.options.flowControl.classify(context.info, context.user);
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
      estimate: this.#shared.options.flowControl.estimate(info, this.#classification),
      onExecute: () => this.#onExecute?.(),
    });
    if (request?.state === 'waiting') return this.#wait(request);
    this.#countWait(request !== undefined, 0);
    return request === undefined ? this.#refuse() : this.#run(request);
  }

  async #wait(request: FairRequest): Promise<void> {
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
    this.#countWait(begins, (performance.now() - arrivedMs) / 1_000);
    if (begins) return this.#run(request);
    if (!this.#context.exchange.responded) this.#refuse();
  }

  #run(request: FairRequest): void | Promise<void> {
    const { exchange } = this.#context;
    const { queues } = this.#classification.level;
    const end = (): void => queues.finish(request);
    if (exchange.responded || exchange.closed) return end();
    if (!this.#awaitBody(request)) {
      end();
      return this.#refuse();
    }
    if (this.#context.info.verb === 'watch') this.#countWatch(end);
    else {
      exchange.onComplete(end);
      this.#shared.unread.follow(exchange, end);
    }
    return this.#next(this.#context);
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

  #countWatch(end: () => void): void {
    const { exchange, info } = this.#context;
    exchange.onClose(
      this.#shared.options.flowControl.watches.begin(info, (field) => wanted(info.fieldSelector, field)),
    );
    exchange.onAnswer(end);
  }

  #countWait(isExecuted: boolean, seconds: number): void {
    const { schema, level } = this.#classification;
    if (level.configuration.isExempt) return;
    this.#shared.options.flowControl.metrics.waited(level.configuration.name, schema.name, isExecuted, seconds);
  }

  #refuse(): void {
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
