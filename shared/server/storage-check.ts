import type { Storage } from '../storage/storage.ts';

/** A health check that reads from storage. While storage is away its calls wait for it; a check must say so sooner. */
export function storageCheck(storage: Storage, timeoutMs: number): () => Promise<string | undefined> {
  return async () => {
    const late = Promise.withResolvers<string>();
    const timer = setTimeout(() => late.resolve(`storage did not answer within ${timeoutMs} ms`), timeoutMs);
    try {
      return await Promise.race([storage.currentRevision().then(() => undefined), late.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
}
