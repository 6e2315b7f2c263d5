import { newTimeout, newTooManyRequests } from '#shared/apimachinery/errors/status.ts';
import { StorageError, type Storage } from '#shared/storage/storage.ts';

/** Whether a state of the past cannot be had: values of it may be encrypted by a key that is gone since. */
export function isGone(error: unknown): boolean {
  return error instanceof StorageError && ['Compacted', 'FutureRevision', 'Unreadable'].includes(error.code);
}

/** The error for a read that storage did not answer: the reference's error when a request times out. */
function readFailure(error: unknown): unknown {
  const isAway = error instanceof StorageError && (error.code === 'Unavailable' || error.code === 'DeadlineExceeded');
  return isAway ? newTimeout('request did not complete within the allotted timeout', 0) : error;
}

/** The reference's answer while a cache is being filled. */
export function notReady(): Error {
  return newTooManyRequests('storage is (re)initializing', 1);
}

/** The current revision of storage. Errors of storage are turned into errors for clients. */
export function newestRevision(storage: Storage): Promise<number> {
  return storage.currentRevision().catch((error: unknown) => {
    throw readFailure(error);
  });
}
