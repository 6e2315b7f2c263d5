import { newBadRequest } from '#shared/apimachinery/errors/status.ts';
import { parseDuration } from '#shared/apimachinery/values/duration.ts';
import type { Filter } from '#shared/request/request-context.ts';

/**
 * Sets the deadline of requests that are not long-running: the server's, or the client's `timeout` if it is shorter.
 */
export function withRequestDeadline(maximumMs: number): Filter {
  return (next) => (context) => {
    if (context.longRunning) return next(context);
    const asked = context.exchange.query.includes('timeout=')
      ? askedTimeoutMs(context.info.query.get('timeout') ?? '')
      : 0;
    context.deadlineMs = context.receivedAtMs + (asked > 0 && asked < maximumMs ? asked : maximumMs);
    return next(context);
  };
}

function askedTimeoutMs(text: string): number {
  if (text === '') return 0;
  try {
    return Number(parseDuration(text)) / 1e6;
  } catch (error) {
    throw newBadRequest(
      `invalid timeout specified in the request URL - ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
