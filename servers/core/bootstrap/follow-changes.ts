import type { Storage } from '../../../shared/storage/storage.ts';

/** Calls `onChange` now and whenever something below the prefix changes, for as long as the process lives. */
export async function followChanges(storage: Storage, prefix: string, onChange: () => void, onError: (error: unknown) => void): Promise<void> {
  const revision = await storage.currentRevision();
  storage.watch(prefix, revision + 1, {
    onEvents: onChange, onProgress: () => undefined,
    // Compacted away while the connection was down: from now on again.
    onError: () => void followChanges(storage, prefix, onChange, onError).catch(onError),
  });
  onChange();
}
