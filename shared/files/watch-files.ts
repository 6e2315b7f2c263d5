import { realpathSync, watch, type FSWatcher } from 'node:fs';
import { dirname } from 'node:path';

/** Events come in bursts, one for each step of a write. */
const settleMs = 50;
/** Some file systems report no changes. */
const pollMs = 60_000;

/**
 * Calls `onChange` soon after one of the files may have changed, and once a minute. The folders are watched instead of
 * the files, since most writers replace a file by a new one, or by a link to a new folder (volumes of pods). The watch
 * does not keep the process alive. Returns a function that ends it.
 */
export function watchFiles(paths: readonly string[], onChange: () => void): () => void {
  const watchers = new Map<string, FSWatcher>();
  let settling: NodeJS.Timeout | undefined;
  const drop = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  const soon = (): void => {
    settling ??= setTimeout(() => {
      settling = undefined;
      updateWatchers();
      onChange();
    }, settleMs).unref();
  };
  /** Updates the watched folders: a link may lead to another folder by now. */
  const updateWatchers = (): void => {
    const wanted = new Set(paths.flatMap(foldersOf));
    for (const folder of [...watchers.keys()].filter((known) => !wanted.has(known))) drop(folder);
    for (const folder of wanted) {
      if (watchers.has(folder)) continue;
      try {
        const watcher = watch(folder, { persistent: false }, soon);
        // The folder is gone or was replaced: the next call of `updateWatchers` watches the new one.
        watcher.on('error', () => drop(folder));
        watchers.set(folder, watcher);
      } catch {
        // The folder cannot be watched: the timer tries again.
      }
    }
  };
  updateWatchers();
  const clock = setInterval(() => {
    // The watcher of a folder that was removed and created again reports nothing any more.
    for (const folder of watchers.keys()) drop(folder);
    updateWatchers();
    onChange();
  }, pollMs).unref();
  return () => {
    clearInterval(clock);
    clearTimeout(settling);
    for (const folder of watchers.keys()) drop(folder);
  };
}

function foldersOf(path: string): string[] {
  try {
    return [dirname(path), dirname(realpathSync(path))];
  } catch {
    return [dirname(path)];
  }
}
