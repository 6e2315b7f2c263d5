import type { AuditEvent } from '#shared/audit/contract/audit-event.ts';
import type { AuditSink } from '#shared/audit/contract/audit-sink.ts';
import type { EventWriter } from './writing/event-writer.ts';
import type { ReportDrop } from './writing/sink-metrics.ts';

export interface DirectOptions {
  /** Whether a request is refused whose first event cannot be written (`blocking-strict`). */
  readonly isStrict: boolean;
  /** The bytes of events that may wait for their writes; further ones are dropped. */
  readonly maxBytes: number;
  readonly reportDrop: ReportDrop;
}

/** Events are written before their requests go on: the modes `blocking` and `blocking-strict`. */
export class DirectSink implements AuditSink {
  readonly name: string;
  readonly #writer: EventWriter;
  readonly #options: DirectOptions;
  readonly #writes = new Set<Promise<unknown>>();
  #bytes = 0;
  #isClosed = false;

  constructor(writer: EventWriter, options: DirectOptions) {
    this.name = options.isStrict ? writer.name : `ignoreErrors<${writer.name}>`;
    this.#writer = writer;
    this.#options = options;
  }

  process(events: readonly AuditEvent[]): boolean | Promise<boolean> {
    const { isStrict, maxBytes } = this.#options;
    if (this.#isClosed) return this.#drop('closed', events.length, 'audit backend shut down');
    const lines = events.map((event) => this.#writer.encode(event));
    const bytes = lines.reduce((sum, line) => sum + line.length, 0);
    if (this.#bytes + bytes > maxBytes)
      return this.#drop('queue_bytes', events.length, `${maxBytes} bytes of audit events wait for their writes`);
    this.#bytes += bytes;
    const write = this.#writer.write(lines).then((isWritten) => {
      this.#bytes -= bytes;
      this.#writes.delete(write);
      return isWritten || !isStrict;
    });
    this.#writes.add(write);
    return write;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#writer.hurry();
    await Promise.all(this.#writes);
    await this.#writer.close();
  }

  #drop(reason: 'closed' | 'queue_bytes', count: number, error: string): boolean {
    this.#options.reportDrop(this.#writer.name, reason, count, error);
    return !this.#options.isStrict;
  }
}
