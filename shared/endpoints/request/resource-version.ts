import { fieldErrorText, invalid, path } from '../../apimachinery/field-error.ts';
import { parseRevision } from '../../apimachinery/revision.ts';
import { failureStatus, newBadRequest, StatusError } from '../../apimachinery/status.ts';

function refusal(text: string, problem: string): string {
  return fieldErrorText(invalid(path('resourceVersion'), text, problem));
}

/** The version that a get or watch names; 0 for none. A broken one is a 500 in the reference. */
export function parseResourceVersion(text: string): number {
  const version = parseRevision(text);
  if (typeof version === 'number') return version;
  throw new StatusError(failureStatus(500, '', refusal(text, version)));
}

/** The version that a list names; a broken one is a 400. */
export function parseListVersion(text: string): number {
  const version = parseRevision(text);
  if (typeof version === 'number') return version;
  throw newBadRequest(`invalid resource version: ${refusal(text, version)}`);
}
