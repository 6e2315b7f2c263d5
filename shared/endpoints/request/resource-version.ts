import { fieldErrorText, invalid, path } from '#shared/apimachinery/errors/field-error.ts';
import { failureStatus, newBadRequest, StatusError } from '#shared/apimachinery/errors/status.ts';
import { parseRevision } from '#shared/apimachinery/revision.ts';

function refusal(text: string, problem: string): string {
  return fieldErrorText(invalid(path('resourceVersion'), text, problem));
}

/** The resource version of a get or watch; 0 where it is empty. An invalid one is a 500, as in the reference. */
export function parseResourceVersion(text: string): number {
  const version = parseRevision(text);
  if (typeof version === 'number') return version;
  throw new StatusError(failureStatus(500, '', refusal(text, version)));
}

/** The resource version of a list; an invalid one is a 400. */
export function parseListVersion(text: string): number {
  const version = parseRevision(text);
  if (typeof version === 'number') return version;
  throw newBadRequest(`invalid resource version: ${refusal(text, version)}`);
}
