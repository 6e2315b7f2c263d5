import { StatusError } from '#shared/apimachinery/errors/status.ts';
import type { AuthorizationMetrics, CallResult } from '#shared/authorization/metrics/authorization-metrics.ts';

/** Counts the attempts of one call of a webhook. */
export class CallRecord {
  readonly #name: string;
  readonly #metrics: AuthorizationMetrics;
  readonly #signal: AbortSignal;
  #seconds = 0;
  #last: CallResult = 'error';

  /** @param signal ends the call */
  constructor(name: string, metrics: AuthorizationMetrics, signal: AbortSignal) {
    this.#name = name;
    this.#metrics = metrics;
    this.#signal = signal;
  }

  /** An attempt without a fault is counted once its answer was read. */
  attempted(seconds: number, fault: Error | undefined): void {
    this.#seconds = seconds;
    if (fault !== undefined) this.#count(this.#signal.aborted ? 'canceled' : isTimeout(fault) ? 'timeout' : 'error');
  }

  read<T>(read: () => T): T {
    try {
      const answer = read();
      this.#count('success');
      return answer;
    } catch (error) {
      this.#count('error');
      throw error;
    }
  }

  /** The request goes on without the webhook's opinion. */
  failedOpen(): void {
    if (!this.#signal.aborted) this.#metrics.failedOpen(this.#name, this.#last);
  }

  #count(result: CallResult): void {
    this.#last = result;
    this.#metrics.called(this.#name, result, this.#seconds);
  }
}

function isTimeout(fault: Error): boolean {
  if (fault instanceof StatusError) return fault.reason === 'Timeout' || fault.code === 504;
  return fault.message.includes('context deadline exceeded');
}
