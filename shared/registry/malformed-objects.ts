import {
  failureStatus,
  newInternalError,
  plainFailure,
  StatusError,
  type StatusCause,
} from '#shared/apimachinery/errors/status.ts';
import { formatGroupResource, type GroupResource } from '#shared/apimachinery/gvk.ts';
import { StorageError } from '#shared/storage/storage.ts';
import { UndecodableError } from '#shared/storage/undecodable-error.ts';

/** Why a stored object cannot be read: it cannot be decoded, or (`Unreadable`) it cannot be decrypted. */
export type Malformation = UndecodableError | StorageError;

/** How a server tells of malformed objects. */
export interface MalformedObjects {
  /** What all keys begin with (`/registry`). */
  readonly prefix: string;
  /** `AllowUnsafeMalformedObjectDeletion`: errors name the objects, which can then be deleted. */
  readonly allowsDeletion: boolean;
}

/** As the reference's gate is by default. */
export const malformedByDefault: MalformedObjects = { prefix: '/registry', allowsDeletion: false };

/** So many objects are named in the error of a list. */
export const mostNamed = 100;

export function isMalformation(error: unknown): error is Malformation {
  return error instanceof UndecodableError || (error instanceof StorageError && error.code === 'Unreadable');
}

/** The error of a read of one object, and of its deletion (etcd3/corrupt_obj_deleter.go). */
export function malformedObject(error: Malformation, { allowsDeletion }: MalformedObjects): StatusError {
  if (allowsDeletion) return newInternalError(corruptText(error, error.key));
  return error instanceof UndecodableError ? plainFailure(error.message) : newInternalError(error.message);
}

/** The error of an update. */
export function malformedOrigin(error: Malformation, { allowsDeletion }: MalformedObjects): StatusError {
  const text = allowsDeletion ? reasonOf(error) : error.message;
  return error instanceof UndecodableError ? plainFailure(text) : newInternalError(text);
}

/** The error of a list that would hold the objects, of which there is at least one. */
export function malformedList(
  errors: readonly Malformation[],
  resource: GroupResource,
  { prefix, allowsDeletion }: MalformedObjects,
): StatusError {
  if (!allowsDeletion) {
    const [first] = errors as readonly [Malformation];
    return first instanceof UndecodableError
      ? plainFailure(first.message)
      : newInternalError(`unable to transform key ${JSON.stringify(prefix + first.key)}: ${first.message}`);
  }
  const causes: StatusCause[] = errors.slice(0, mostNamed).map((error) => {
    const field = prefix + error.key;
    return { reason: 'UnexpectedServerResponse', message: corruptText(error, field), field };
  });
  if (errors.length > mostNamed)
    causes.push({ reason: 'FieldValueTooMany', message: 'too many errors, the list is truncated' });
  const { group, resource: kind } = resource;
  const details = { name: 'list', ...(group === '' ? {} : { group }), kind, causes };
  const message = `failed to read one or more ${formatGroupResource(resource)} from the storage`;
  return new StatusError(failureStatus(500, 'StorageReadError', message, details));
}

function corruptText(error: Malformation, key: string): string {
  return `StorageError: corrupt object, Code: 7, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${reasonOf(error)}`;
}

function reasonOf(error: Malformation): string {
  return error instanceof UndecodableError
    ? `object not decodable revision=${error.revision}: ${error.message}`
    : `data from the storage is not transformable revision=0: ${error.message}`;
}
