import { newTimeout, newTooManyRequests } from '../apimachinery/status.ts';
import { StorageError, type Storage } from '../storage/storage.ts';

export function isGone(error: unknown): boolean {
  return error instanceof StorageError && (error.code === 'Compacted' || error.code === 'FutureRevision');
}

/**
 * What a client is told of a read that storage did not answer: what the reference says when its time for a request is
 * over.
 */
function readFailure(error: unknown): unknown {
  const isAway = error instanceof StorageError && (error.code === 'Unavailable' || error.code === 'DeadlineExceeded');
  return isAway ? newTimeout('request did not complete within the allotted timeout', 0) : error;
}

/** The reference's answer while a cache fills. */
export function notReady(): Error {
  return newTooManyRequests('storage is (re)initializing', 1);
}

/** The revision of storage now; errors are those that a client gets. */
export function newestRevision(storage: Storage): Promise<number> {
  return storage.currentRevision().catch((error: unknown) => {
    throw readFailure(error);
  });
}
