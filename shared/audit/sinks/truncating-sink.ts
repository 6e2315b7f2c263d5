import type { AuditEvent } from '#shared/audit/contract/audit-event.ts';
import type { AuditSink } from '#shared/audit/contract/audit-sink.ts';
import { allTaken } from './writing/all-taken.ts';
import { eventLine } from './writing/event-line.ts';
import type { ReportDrop } from './writing/sink-metrics.ts';

const annotation = 'audit.k8s.io/truncated';

export interface TruncationOptions {
  /** The largest event, in bytes. */
  readonly maxEventBytes: number;
  readonly reportDrop: ReportDrop;
}

/**
 * Leaves the objects out of events that are too large, and drops those that are too large without them. Batches are
 * split where they are made (apiserver/plugin/pkg/audit/truncate).
 */
export class TruncatingSink implements AuditSink {
  readonly name: string;
  readonly #sink: AuditSink;
  readonly #options: TruncationOptions;

  constructor(sink: AuditSink, options: TruncationOptions) {
    this.name = `truncate<${sink.name}>`;
    this.#sink = sink;
    this.#options = options;
  }

  process(events: readonly AuditEvent[]): boolean | Promise<boolean> {
    // One event at a time, which is how they come: the sink behind this one takes the bytes that were counted here.
    const results = events.map((event) => this.#processOne(event));
    return allTaken(results);
  }

  close(): Promise<void> {
    return this.#sink.close();
  }

  #processOne(event: AuditEvent): boolean | Promise<boolean> {
    const { maxEventBytes, reportDrop } = this.#options;
    if (bytesOf(event) <= maxEventBytes) return this.#sink.process([event]);
    const smaller = event.level === 'Metadata' ? event : truncated(event);
    if (smaller !== event && bytesOf(smaller) <= maxEventBytes) return this.#sink.process([smaller]);
    reportDrop('truncate', 'too_large', 1, 'event is too large even after truncating');
    // As in the reference, the request goes on.
    return true;
  }
}

/** With its line feed, which the reference counts. */
function bytesOf(event: AuditEvent): number {
  return eventLine(event).length + 1;
}

function truncated({ requestObject: _request, responseObject: _response, ...event }: AuditEvent): AuditEvent {
  return { ...event, annotations: new Map([...event.annotations, [annotation, 'true']]) };
}
