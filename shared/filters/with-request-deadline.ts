import { newBadRequest } from '#shared/apimachinery/errors/status.ts';
import { parseDuration } from '#shared/apimachinery/values/duration.ts';
import type { AuditRecorder } from '#shared/audit/recorder/audit-trail.ts';
import type { Filter, RequestContext } from '#shared/request/request-context.ts';
import { auditRefusal } from './with-audit.ts';

/**
 * Sets the deadline of requests that are not long-running: the server's, or the client's `timeout` if it is shorter.
 */
export function withRequestDeadline(maximumMs: number, auditing?: AuditRecorder): Filter {
  return (next) => (context) => {
    if (context.longRunning) return next(context);
    const asked = context.exchange.query.includes('timeout=') ? askedTimeoutMs(context, auditing) : 0;
    context.deadlineMs = context.receivedAtMs + (asked > 0 && asked < maximumMs ? asked : maximumMs);
    return next(context);
  };
}

function askedTimeoutMs(context: RequestContext, auditing: AuditRecorder | undefined): number {
  const text = context.info.query.get('timeout') ?? '';
  if (text === '') return 0;
  try {
    return Number(parseDuration(text)) / 1e6;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `invalid timeout specified in the request URL - ${why}`;
    auditRefusal(context, auditing, message);
    throw newBadRequest(message);
  }
}
