import { newGenericServerResponse, type StatusError } from '#shared/apimachinery/errors/status.ts';
import type { RequestContext } from '#shared/request/request-context.ts';

/** The 404 for unregistered paths: plain text, not a Status. */
export function sendNotFound({ exchange }: RequestContext): void {
  exchange.send(
    404,
    { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
    '404 page not found\n',
  );
}

/** The 404 for an unknown resource in a known group: a Status without details. */
export function unknownResource(): StatusError {
  return newGenericServerResponse(404);
}
