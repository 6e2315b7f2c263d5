import { parseFieldSelector, requiredFieldValue } from '#shared/apimachinery/selectors/fields.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { beginsWithObjects } from '#shared/flowcontrol/estimates/estimate-work.ts';
import type { Classification, FlowControl } from '#shared/flowcontrol/flow-control.ts';
import type { PhaseCount, ReadWriteMetrics, RequestKind } from '#shared/flowcontrol/metrics/read-write-metrics.ts';
import type { Arrival, FairRequest } from '#shared/flowcontrol/queueset/fair-request.ts';
import type { RetryAfter } from '#shared/flowcontrol/retry-after.ts';
import type { WorkEstimate } from '#shared/flowcontrol/work/work-estimate.ts';
import type { Exchange } from '#shared/request/exchange.ts';
import type { FlowFacts } from '#shared/request/flow-facts.ts';
import type { Handler, RequestContext } from '#shared/request/request-context.ts';
import type { RequestInfo } from '#shared/request/request-info.ts';
import type { UserInfo } from '#shared/request/user.ts';
import type { WatchStartSignal } from '#shared/request/watch-start.ts';
import { readVerbs, refuseOverload } from './filter-tools.ts';
import type { SendingLimit } from './sending-limit.ts';
import type { SeatHolder, UnreadAnswers } from './unread-answers.ts';

/** A request waits for a quarter of its time, but no longer than this (apiserver/pkg/server/filters). */
const longestWaitMs = 60_000;
/** Longer ones are not read here, since that takes time. */
const longestSelector = 1_000;

/** What the turns of all requests share. */
export interface FairnessParts {
  readonly flowControl: FlowControl;
  /** For requests without a deadline of their own. */
  readonly requestTimeoutMs: number;
  readonly readWrite: ReadWriteMetrics;
  readonly sending: SendingLimit;
  readonly unread: UnreadAnswers;
  readonly retryAfter: RetryAfter;
}

/** One request on its way through the queues. */
export class FairTurn implements Arrival, FlowFacts, SeatHolder {
  readonly exchange: Exchange;
  readonly info: RequestInfo;
  readonly user: UserInfo;
  readonly flowSchema: string;
  readonly estimate: WorkEstimate;
  hadUnread = false;
  executionMs: number | undefined;
  readonly #parts: FairnessParts;
  readonly #context: RequestContext;
  readonly #next: Handler;
  readonly #classification: Classification;
  readonly #kind: RequestKind;
  #request: FairRequest | undefined;
  #onExecute: (() => void) | undefined;
  #startedNs = 0;

  constructor(parts: FairnessParts, context: RequestContext, next: Handler) {
    const { exchange, info, user } = context;
    this.exchange = exchange;
    this.info = info;
    this.user = user;
    this.#parts = parts;
    this.#context = context;
    this.#next = next;
    this.#kind = readVerbs.has(info.verb) ? 'readOnly' : 'mutating';
    this.#classification = parts.flowControl.classify(info, user);
    this.flowSchema = this.#classification.schema.name;
    this.estimate = parts.flowControl.estimate(info, this.#classification);
    context.flow = this;
  }

  get flowDistinguisher(): string {
    return this.#classification.flowDistinguisher;
  }

  get hash(): bigint | undefined {
    return this.#classification.hash;
  }

  onExecute(): void {
    this.#onExecute?.();
  }

  giveBack(): void {
    if (this.#request !== undefined) this.#classification.level.queues.finish(this.#request);
    this.#endExecution();
  }

  get priorityLevel(): string {
    return this.#classification.level.configuration.name;
  }

  get initialSeats(): number {
    return this.estimate.initialSeats;
  }

  get finalSeats(): number {
    return this.estimate.finalSeats;
  }

  get additionalLatencyNs(): number {
    return this.estimate.additionalLatencyNs;
  }

  get initLatencyMs(): number | undefined {
    return this.info.verb === 'watch' ? this.executionMs : undefined;
  }

  begin(): void | Promise<void> {
    const { schema, level } = this.#classification;
    this.exchange.setHeader('x-kubernetes-pf-flowschema-uid', schema.uid);
    this.exchange.setHeader('x-kubernetes-pf-prioritylevel-uid', level.configuration.uid);
    const request = level.queues.start(this);
    this.#request = request;
    const isQueued = level.configuration.queueing.queues > 0;
    const waiting = isQueued ? this.#parts.readWrite.waiting[this.#kind] : undefined;
    waiting?.add(1);
    if (request?.state === 'waiting') return this.#wait(request, waiting);
    waiting?.add(-1);
    this.#countWait(request !== undefined, 0);
    return request === undefined ? this.#refuse() : this.#run(request);
  }

  async #wait(request: FairRequest, waiting: PhaseCount | undefined): Promise<void> {
    const { queues } = this.#classification.level;
    const { unread } = this.#parts;
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
      this.exchange.onClose(() => {
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
    if (!this.exchange.responded) this.#refuse();
  }

  #run(request: FairRequest): void | Promise<void> {
    const { exchange } = this;
    this.#startedNs = this.#parts.flowControl.clock.latestNs;
    this.#parts.readWrite.executing[this.#kind].add(1);
    if (exchange.responded || exchange.closed) return this.giveBack();
    if (exchange.hasBody && !this.#awaitBody(request)) {
      this.giveBack();
      return this.#refuse();
    }
    exchange.onComplete(() => this.giveBack());
    if (this.info.verb === 'watch') this.#beginWatch();
    return this.#next(this.#context);
  }

  /** Also when seats were given back before the end. */
  #endExecution(): void {
    if (this.executionMs !== undefined) return;
    this.executionMs = (this.#parts.flowControl.clock.latestNs - this.#startedNs) / 1e6;
    this.#parts.readWrite.executing[this.#kind].add(-1);
    this.#classification.observer.executed(this.info.verb === 'watch', this.executionMs / 1_000);
  }

  /** Gives the seats back until the body is there. False if the user sends too many bodies. */
  #awaitBody(request: FairRequest): boolean {
    const { exchange, user } = this;
    const { sending } = this.#parts;
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
  #beginWatch(): void {
    const { exchange, info } = this;
    exchange.onClose(this.#parts.flowControl.watches.begin(info, (field) => wanted(info.fieldSelector, field)));
    const start: WatchStartSignal = { isTold: false, begun: () => this.giveBack() };
    this.#context.watchStart = start;
    exchange.onAnswer(() => {
      if (!start.isTold || !beginsWithObjects(info)) this.giveBack();
    });
  }

  #countWait(isExecuted: boolean, seconds: number): void {
    const { level, observer } = this.#classification;
    if (!level.configuration.isExempt) observer.waited(isExecuted, seconds);
  }

  #refuse(): void {
    this.#context.endedBy = 'dropped';
    this.#parts.unread.noteRefusal();
    const seconds = this.#parts.retryAfter.dropped(
      this.#classification.level.configuration.name,
      Math.floor(performance.now() / 1_000),
    );
    refuseOverload(this.exchange, seconds);
  }

  #waitMs(): number {
    const { deadlineMs, receivedAtMs } = this.#context;
    const allottedMs = deadlineMs === undefined ? this.#parts.requestTimeoutMs : deadlineMs - receivedAtMs;
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
