import { newTimeout } from '../apimachinery/status.ts';
import type { Filter, RequestContext } from '../request/request-context.ts';
import type { ErrorWriter } from './filter-tools.ts';

const sweepMs = 100;
const readVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/**
 * The requests that are being served: what shutdown waits for, and one timer for all deadlines instead of one each
 * (a few hundred entries at most have a deadline at a time).
 */
export class InFlightRequests {
  readonly #short = new Set<RequestContext>();
  readonly #long = new Set<RequestContext>();
  readonly #writeError: ErrorWriter;
  readonly #onDone: ((context: RequestContext) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #idle: (() => void)[] = [];

  /** `onDone`: called at the end of each request. */
  constructor(writeError: ErrorWriter, onDone?: (context: RequestContext) => void) {
    this.#writeError = writeError;
    this.#onDone = onDone;
  }

  /** Requests with a deadline. */
  get shortCount(): number {
    return this.#short.size;
  }

  /** Requests with a deadline, by kind. */
  countByKind(): { readonly mutating: number; readonly readOnly: number } {
    let readOnly = 0;
    for (const { info } of this.#short) if (readVerbs.has(info.verb)) readOnly++;
    return { readOnly, mutating: this.#short.size - readOnly };
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
        this.#onDone?.(context);
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
