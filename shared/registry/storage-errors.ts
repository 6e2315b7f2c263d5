import {
  failureStatus,
  newAlreadyExists,
  newConflict,
  newInternalError,
  newNotFound,
  newResourceExpired,
  newServerTimeout,
  newTimeout,
  StatusError,
} from '#shared/apimachinery/errors/status.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { StorageError } from '#shared/storage/storage.ts';

export type StorageOperation = 'get' | 'list' | 'create' | 'update' | 'delete' | 'watch';

const retryAfterSeconds = 2;

/** Translates an error of storage into a Status (apiserver/pkg/storage/errors); returns other errors unchanged. */
export function interpretStorageError(
  error: unknown,
  operation: StorageOperation,
  resource: GroupResource,
  name: string,
): unknown {
  if (!(error instanceof StorageError)) return error;
  const options = { cause: error };
  switch (error.code) {
    case 'KeyNotFound':
      return newNotFound(resource, operation === 'list' ? '' : name);
    case 'KeyExists':
      return operation === 'create' ? newAlreadyExists(resource, name) : newConflict(resource, name, error.message);
    case 'Unavailable':
    case 'DeadlineExceeded':
    case 'Cancelled':
      return error.outcomeUnknown ? unknownOutcome(error) : newServerTimeout(resource, operation, retryAfterSeconds);
    case 'Compacted':
      return newResourceExpired('The resourceVersion for the provided list is too old.');
    case 'Unreadable':
    case 'Internal':
      return newInternalError(error.message);
    default:
      return new StatusError(failureStatus(500, '', error.message), options);
  }
}

const unknownOutcomes = new WeakSet<object>();

/** Whether storage may have carried out a write although it failed. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof StorageError
    ? error.outcomeUnknown
    : typeof error === 'object' && error !== null && unknownOutcomes.has(error);
}

/** The error has no Retry-After header: clients would repeat the request, but this write may have been carried out. */
function unknownOutcome(error: StorageError): StatusError {
  const statusError =
    error.code === 'DeadlineExceeded'
      ? newTimeout('request did not complete within the allotted timeout', 0)
      : new StatusError(failureStatus(500, '', `${reasonOf(error)}; the request may have been carried out`), {
          cause: error,
        });
  unknownOutcomes.add(statusError);
  return statusError;
}

/** The message of etcd, or that the connection was lost: the message of a transport alone says too little. */
function reasonOf({ message }: StorageError): string {
  return message.startsWith('etcdserver:')
    ? message
    : `the connection to the storage was lost before it answered (${message})`;
}

/** The text of the reference's StorageError for an object that fails a precondition, as clients see it in a 409. */
export function preconditionFailure(key: string, message: string, dryRun = false): string {
  return `StorageError: invalid object, Code: 4, Key: ${dryRun ? '' : '/registry'}${key}, ResourceVersion: 0, AdditionalErrorMsg: ${message}`;
}
