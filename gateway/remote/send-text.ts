import type { RequestContext } from '#shared/request/request-context.ts';

/** Answers with plain text, as Go's http.Error does. */
export function sendText({ exchange }: RequestContext, status: number, text: string): void {
  if (!exchange.responded)
    exchange.send(
      status,
      { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
      `${text}\n`,
    );
}
