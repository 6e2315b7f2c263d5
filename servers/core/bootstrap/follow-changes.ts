import type { Storage } from '../../../shared/storage/storage.ts';

const retryMs = 1_000;

/**
 * Calls `onChange` now and whenever something below the prefix changes, for as long as the process lives. While storage
 * is away `onError` is told each second; once it is back `onChange` is called for what was missed.
 */
export function followChanges(
  storage: Pick<Storage, 'currentRevision' | 'watch'>,
  prefix: string,
  onChange: () => void,
  onError: (error: unknown) => void,
): void {
  const again = (): void => followChanges(storage, prefix, onChange, onError);
  storage
    .currentRevision()
    .then((revision) => {
      onChange();
      // An error is told when its revision was compacted away while the connection was down: from now on again.
      storage.watch(prefix, revision + 1, { onEvents: onChange, onProgress: () => undefined, onError: again });
    })
    .catch((error: unknown) => {
      onError(error);
      setTimeout(again, retryMs).unref();
    });
}
