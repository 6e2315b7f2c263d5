import type { AuditEvent } from '#shared/audit/contract/audit-event.ts';
import type { AuditSink } from '#shared/audit/contract/audit-sink.ts';
import { allTaken } from './writing/all-taken.ts';

/** Several sinks, each of which takes all events. */
export class UnionSink implements AuditSink {
  readonly name: string;
  readonly #sinks: readonly AuditSink[];

  constructor(sinks: readonly AuditSink[]) {
    this.name = `union[${sinks.map(({ name }) => name).join(',')}]`;
    this.#sinks = sinks;
  }

  process(events: readonly AuditEvent[]): boolean | Promise<boolean> {
    const results = this.#sinks.map((sink) => sink.process(events));
    return allTaken(results);
  }

  async close(): Promise<void> {
    await Promise.all(this.#sinks.map((sink) => sink.close()));
  }
}
