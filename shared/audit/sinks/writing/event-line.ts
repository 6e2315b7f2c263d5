import type { AuditEvent } from '#shared/audit/contract/audit-event.ts';
import { encodeEvent } from '#shared/audit/event/encode-event.ts';

let last: AuditEvent | undefined;
let lastLine: Buffer | undefined;

/**
 * The JSON of an event, without a line feed. Several sinks, and the parts of one, take an event one right after the
 * other, so that the last one is kept: it is encoded once, and queues share its bytes.
 */
export function eventLine(event: AuditEvent): Buffer {
  if (last === event && lastLine !== undefined) return lastLine;
  const line = encodeEvent(event);
  [last, lastLine] = [event, line];
  return line;
}
