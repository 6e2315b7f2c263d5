import type { AuditEvent } from './audit-event.ts';

/**
 * Takes events (upstream's audit.Backend): a file, a webhook, several of both, or a queue or a limit in front of one.
 * What a sink cannot take it drops and counts, and nothing that it does makes a request wait but in blocking modes.
 */
export interface AuditSink {
  /** For errors, metrics and `/flagz`, such as `buffered<log>`. */
  readonly name: string;
  /**
   * Takes the events in their order. False, or a promise of it, if one of them could not be written: a request whose
   * first event fails in the mode `blocking-strict` is refused. A sink that does not block answers at once.
   */
  process(events: readonly AuditEvent[]): boolean | Promise<boolean>;
  /** Writes what it holds, then ends. Resolves when all events that were taken are written or given up. */
  close(): Promise<void>;
}
