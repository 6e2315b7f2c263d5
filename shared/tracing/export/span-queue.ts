import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace';
import { outsideSpans } from '#shared/spans/active-span.ts';

/** Sends a batch of spans; rejects if the collector did not take it. */
export type SendSpans = (spans: ReadableSpan[]) => Promise<void>;

export interface SpanQueueOptions {
  readonly send: SendSpans;
  readonly onSent: (spans: number) => void;
  /** Told of spans that are lost: those of a batch that failed, and those for which there was no place. */
  readonly onDropped: (spans: number, error?: unknown) => void;
  /** Spans that wait at most, those on their way included. Default: 2048, as OpenTelemetry's SDKs. */
  readonly maxSpans?: number;
  /** Default: 512. */
  readonly maxBatch?: number;
  /** How long a span waits for others. Default: 5,000. */
  readonly delayMs?: number;
}

/**
 * Ended spans that wait for the collector. One batch is on its way at a time, and nobody waits for it: what does not
 * fit is dropped and counted.
 */
export class SpanQueue implements SpanProcessor {
  readonly #options: SpanQueueOptions;
  readonly #maxSpans: number;
  readonly #maxBatch: number;
  #waiting: ReadableSpan[] = [];
  #onTheWay = 0;
  #isStopped = false;
  #sending: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SpanQueueOptions) {
    this.#options = options;
    this.#maxSpans = options.maxSpans ?? 2048;
    this.#maxBatch = options.maxBatch ?? 512;
  }

  onStart(): void {
    // Spans are taken at their end.
  }

  onEnd(span: ReadableSpan): void {
    if (this.#isStopped) return;
    if (this.#waiting.length + this.#onTheWay >= this.#maxSpans) return this.#options.onDropped(1);
    this.#waiting.push(span);
    if (this.#sending !== undefined) return;
    if (this.#waiting.length >= this.#maxBatch) this.#begin();
    else this.#timer ??= setTimeout(() => this.#begin(), this.#options.delayMs ?? 5_000).unref();
  }

  /** Resolves when all that waits was sent or dropped. */
  async forceFlush(): Promise<void> {
    while (this.#waiting.length > 0 || this.#sending !== undefined) {
      this.#begin();
      await this.#sending;
    }
  }

  shutdown(): Promise<void> {
    this.stop();
    return Promise.resolve();
  }

  /** Drops what waits, and takes nothing any more. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#isStopped = true;
    this.#waiting = [];
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // The work of no request, though the end of a request's span may begin it.
    this.#sending ??= outsideSpans(() => this.#sendAll());
  }

  /** Sends full batches one after another, and at the end the rest of what waited then. */
  async #sendAll(): Promise<void> {
    do {
      const batch = this.#waiting.splice(0, this.#maxBatch);
      this.#onTheWay = batch.length;
      try {
        if (batch.length > 0) await this.#options.send(batch);
        this.#options.onSent(batch.length);
      } catch (error) {
        this.#options.onDropped(batch.length, error);
      }
      this.#onTheWay = 0;
    } while (this.#waiting.length >= this.#maxBatch);
    this.#sending = undefined;
    if (this.#waiting.length > 0)
      this.#timer ??= setTimeout(() => this.#begin(), this.#options.delayMs ?? 5_000).unref();
  }
}
