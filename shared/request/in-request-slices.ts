import { newTimeout } from '#shared/apimachinery/errors/status.ts';
import { inSlices, type SliceLimit, type Steps } from '#shared/apimachinery/slices/slices.ts';

/**
 * Nobody waits for what takes longer: a request is answered after 60 s (`--request-timeout`) at the latest. Work over
 * several lists of one object can take hours, as their lengths multiply.
 */
const requestLimit: SliceLimit = {
  maxMs: 60_000,
  makeError: () => newTimeout('request did not complete within the allotted timeout', 0),
};

/**
 * Runs the steps of one request in slices, as {@link inSlices}.
 * @throws StatusError 504 where the steps have run for longer than any request lasts
 */
export function inRequestSlices<T>(steps: Steps<T>): Promise<T> {
  return inSlices(steps, requestLimit);
}
