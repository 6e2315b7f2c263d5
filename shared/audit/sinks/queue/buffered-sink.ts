import type { AuditEvent } from '#shared/audit/contract/audit-event.ts';
import type { AuditSink } from '#shared/audit/contract/audit-sink.ts';
import type { EventWriter } from '#shared/audit/sinks/writing/event-writer.ts';
import type { ReportDrop } from '#shared/audit/sinks/writing/sink-metrics.ts';
import { BatchRate } from './batch-rate.ts';
import { LineQueue } from './line-queue.ts';

export interface BufferOptions {
  /** The events that may wait; further ones are dropped. */
  readonly maxEvents: number;
  /** The bytes of events that may wait or be under way. */
  readonly maxBytes: number;
  readonly maxBatchEvents: number;
  readonly maxBatchBytes: number;
  /** The longest time until a batch that is not full is written. */
  readonly maxWaitMs: number;
  /** Batches a second, and how many at once after a pause. Default: as many as there are. */
  readonly rate?: { readonly qps: number; readonly burst: number } | undefined;
  /** Batches that are written at a time. */
  readonly maxWrites: number;
  readonly reportDrop: ReportDrop;
}

/**
 * Keeps events until there are enough for a batch, or they have waited long enough
 * (apiserver/plugin/pkg/audit/buffered). No request waits for it, and the events that it keeps are bounded by number
 * and by bytes, also while they are written.
 */
export class BufferedSink implements AuditSink {
  readonly name: string;
  readonly #writer: EventWriter;
  readonly #options: BufferOptions;
  readonly #queue = new LineQueue();
  readonly #rate: BatchRate | undefined;
  readonly #writes = new Set<Promise<unknown>>();
  #bytesUnderWay = 0;
  /** When the present wait for a batch began. */
  #sinceMs = performance.now();
  /** When the oldest event is written, even if the batch is not full. */
  #dueMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #timerMs = 0;
  #isClosed = false;

  constructor(writer: EventWriter, options: BufferOptions) {
    this.name = `buffered<${writer.name}>`;
    this.#writer = writer;
    this.#options = options;
    this.#rate = options.rate && new BatchRate(options.rate.qps, options.rate.burst, this.#sinceMs);
  }

  /** The bytes of the events that wait or are under way. */
  get bytes(): number {
    return this.#queue.bytes + this.#bytesUnderWay;
  }

  process(events: readonly AuditEvent[]): boolean {
    for (const event of events) this.#keep(event);
    if (!this.#isClosed) this.#pump();
    return true;
  }

  /** Writes what is left without waiting for full batches. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#writer.hurry();
    this.#pump();
    while (this.#writes.size > 0) await Promise.race(this.#writes);
    await this.#writer.close();
  }

  #keep(event: AuditEvent): void {
    const { maxEvents, maxBytes, reportDrop } = this.#options;
    if (this.#isClosed) return reportDrop('buffered', 'closed', 1, 'audit backend shut down');
    if (this.#queue.length >= maxEvents) return reportDrop('buffered', 'queue_full', 1, 'audit buffer queue blocked');
    const line = this.#writer.encode(event);
    if (this.bytes + line.length > maxBytes)
      return reportDrop('buffered', 'queue_bytes', 1, `${maxBytes} bytes of audit events wait to be written`);
    if (this.#queue.length === 0) this.#dueMs = this.#nextDueMs(performance.now());
    this.#queue.push(line);
  }

  /** The waits follow one another, whether there are events or not. */
  #nextDueMs(nowMs: number): number {
    const { maxWaitMs } = this.#options;
    if (maxWaitMs <= 0) return nowMs;
    this.#sinceMs += Math.floor((nowMs - this.#sinceMs) / maxWaitMs) * maxWaitMs;
    return this.#sinceMs + maxWaitMs;
  }

  /** Writes the batches that are full or due, as far as the limits let it. */
  #pump(): void {
    const { maxBatchEvents, maxWrites } = this.#options;
    while (this.#queue.length > 0 && this.#writes.size < maxWrites) {
      if (!this.#isClosed) {
        const nowMs = performance.now();
        if (this.#queue.length < maxBatchEvents && nowMs < this.#dueMs) return this.#wakeAt(this.#dueMs);
        const waitMs = this.#rate?.take(nowMs) ?? 0;
        if (waitMs > 0) return this.#wakeAt(nowMs + waitMs);
      }
      this.#write();
    }
  }

  #write(): void {
    const { maxBatchEvents, maxBatchBytes, maxWaitMs } = this.#options;
    const before = this.#queue.bytes;
    const batch = this.#queue.take(maxBatchEvents, maxBatchBytes);
    const bytes = before - this.#queue.bytes;
    this.#bytesUnderWay += bytes;
    this.#sinceMs = performance.now();
    this.#dueMs = this.#sinceMs + maxWaitMs;
    const write = this.#writer.write(batch).then(() => {
      this.#bytesUnderWay -= bytes;
      this.#writes.delete(write);
      this.#pump();
    });
    this.#writes.add(write);
  }

  #wakeAt(atMs: number): void {
    if (this.#timer !== undefined && this.#timerMs <= atMs) return;
    clearTimeout(this.#timer);
    this.#timerMs = atMs;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#pump();
    }, atMs - performance.now()).unref();
  }
}
