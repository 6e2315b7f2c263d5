import { StatusError } from '#shared/apimachinery/errors/status.ts';
import { StorageError } from '#shared/storage/storage.ts';

/**
 * Runs a write. If storage refuses the object for its size, runs it once more after `leaveOut` has removed the
 * managedFields, which may be most of the object (apiserver/pkg/endpoints/handlers/rest.go, isTooLargeError). Not for
 * an apply, which needs the managedFields.
 */
export async function withoutManagersIfTooLarge<T>(write: () => Promise<T>, leaveOut: () => void): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    leaveOut();
    return write();
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof StatusError && error.cause instanceof StorageError && error.cause.code === 'TooLarge';
}
