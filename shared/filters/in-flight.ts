import { newTimeout } from '../apimachinery/status.ts';
import type { Filter, RequestContext } from '../request/request-context.ts';
import type { ErrorWriter } from './filter-tools.ts';

const sweepMs = 100;

/**
 * The requests that are being served: what shutdown waits for, and one timer for all deadlines instead of one each
 * (a few hundred entries at most have a deadline at a time).
 */
export class InFlightRequests {
  readonly #short = new Set<RequestContext>();
  readonly #long = new Set<RequestContext>();
  readonly #writeError: ErrorWriter;
  #timer: NodeJS.Timeout | undefined;
  #idle: (() => void)[] = [];

  constructor(writeError: ErrorWriter) {
    this.#writeError = writeError;
  }

  /** Requests with a deadline. */
  get shortCount(): number {
    return this.#short.size;
  }

  /** Watches, proxies and streams. */
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
      if (!context.longRunning) this.#timer ??= setInterval(() => this.#sweep(), sweepMs).unref();
      context.exchange.onClose(() => {
        set.delete(context);
        if (set === this.#short && set.size === 0) this.#becameIdle();
      });
      return next(context);
    };
  }

  #becameIdle(): void {
    const waiting = this.#idle;
    this.#idle = [];
    for (const resolve of waiting) resolve();
  }

  #sweep(): void {
    if (this.#short.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    const now = Date.now();
    for (const context of this.#short) {
      if (context.deadlineMs === undefined || context.deadlineMs > now || context.exchange.responded) continue;
      this.#writeError(context, newTimeout('request did not complete within the allotted timeout', 0));
    }
  }
}
