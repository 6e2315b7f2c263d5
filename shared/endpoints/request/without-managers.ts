import { StatusError } from '../../apimachinery/status.ts';
import { StorageError } from '../../storage/storage.ts';

/**
 * Runs a write; where storage refuses the object for its size, once more after `leaveOut` has taken its managed fields,
 * which may be the larger part of it (apiserver/pkg/endpoints/handlers/rest.go, isTooLargeError). What is applied
 * cannot live without them.
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
