import type { AuditEvent } from '#shared/audit/contract/audit-event.ts';

/** Where encoded events go at last: the file or the webhook. */
export interface EventWriter {
  readonly name: 'log' | 'webhook';
  /** The bytes of an event as they are kept until it is written. */
  encode(event: AuditEvent): Buffer;
  /** Writes events. Resolves to false if some of them could not be written, which it has reported. Never rejects. */
  write(lines: readonly Buffer[]): Promise<boolean>;
  /** Told that the server ends: writes that fail are given up soon. */
  hurry(): void;
  /** Nothing is written after it, and nothing is under way. */
  close(): Promise<void>;
}
