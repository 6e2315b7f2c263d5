import { failureStatus, StatusError } from '#shared/apimachinery/errors/status.ts';

/**
 * The 406 for a request of PartialObjectMetadata where the response is a list. The message names the list's Go type.
 */
export function notOfLists(goType: string): StatusError {
  return notAcceptable(`you requested PartialObjectMetadata, but the requested object is a list (${goType})`);
}

/** The 406 for a request of PartialObjectMetadataList where the response is one object. */
export function onlyOfLists(goType: string): StatusError {
  return notAcceptable(`you requested PartialObjectMetadataList, but the requested object is not a list (${goType})`);
}

function notAcceptable(message: string): StatusError {
  return new StatusError(failureStatus(406, 'NotAcceptable', message));
}
