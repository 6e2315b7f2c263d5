import { newTimeout } from '#shared/apimachinery/errors/status.ts';
import type { Filter, RequestContext } from '#shared/request/request-context.ts';
import type { ErrorWriter } from './filter-tools.ts';
import { QueuedAnswers } from './queued-answers.ts';

const sweepMs = 100;
const checkQueuedMs = 1_000;
/** How long a client may take to read an answer that was sent at the deadline before its connection is dropped. */
const takeAnswerMs = 2_000;

/**
 * The requests being served. Shutdown waits for them, and one timer watches all their deadlines instead of one each (a
 * few hundred of them at most have a deadline at a time).
 */
export class InFlightRequests {
  readonly #short = new Set<RequestContext>();
  readonly #long = new Set<RequestContext>();
  readonly #writeError: ErrorWriter;
  readonly #queued = new QueuedAnswers();
  #timer: NodeJS.Timeout | undefined;
  #queuedTimer: NodeJS.Timeout | undefined;
  #idle: (() => void)[] = [];

  constructor(writeError: ErrorWriter) {
    this.#writeError = writeError;
  }

  /** The number of requests with a deadline. */
  get shortCount(): number {
    return this.#short.size;
  }

  /** Requests without a deadline: watches, proxies and streams. */
  get longRunning(): Iterable<RequestContext> {
    return this.#long;
  }

  get longCount(): number {
    return this.#long.size;
  }

  /** Resolves when no request with a deadline is left. */
  async drained(): Promise<void> {
    if (this.#short.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  filter(): Filter {
    return (next) => (context) => {
      const set = context.longRunning ? this.#long : this.#short;
      set.add(context);
      this.#queuedTimer ??= setInterval(() => this.#checkQueued(), checkQueuedMs).unref();
      if (!context.longRunning) this.#timer ??= setInterval(() => this.#sweep(), sweepMs).unref();
      context.exchange.onClose(() => {
        set.delete(context);
        if (set === this.#short && set.size === 0) this.#becameIdle();
      });
      return next(context);
    };
  }

  #checkQueued(): void {
    this.#queued.check([this.#short, this.#long], performance.now());
    if (this.#short.size > 0 || this.#long.size > 0) return;
    clearInterval(this.#queuedTimer);
    this.#queuedTimer = undefined;
  }

  #becameIdle(): void {
    const waiting = this.#idle;
    if (waiting.length === 0) return;
    this.#idle = [];
    for (const resolve of waiting) resolve();
  }

  #sweep(): void {
    if (this.#short.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    const now = performance.now();
    for (const context of this.#short) {
      if (context.deadlineMs !== undefined && context.deadlineMs <= now)
        this.#end(context, context.deadlineMs + takeAnswerMs <= now);
    }
  }

  /**
   * The deadline covers the whole request, as in the reference: also a body that has not arrived and an answer that the
   * client has not read.
   */
  #end(context: RequestContext, giveUp: boolean): void {
    const { exchange } = context;
    if (giveUp) {
      // One that was answered in time is not aborted since its client does not take the answer.
      context.endedBy ??= 'aborted';
      exchange.dropClient();
    } else if (!exchange.responded) {
      // The connection is closed so that nothing waits for the rest of the body.
      if (exchange.httpVersion === '1.1') exchange.setHeader('connection', 'close');
      context.endedBy = 'deadline';
      this.#writeError(context, newTimeout('request did not complete within the allotted timeout', 0));
    }
  }
}
