import { realpathSync, watch, type FSWatcher } from 'node:fs';
import { dirname } from 'node:path';

/** Events come in bursts, one for each step of a write. */
const settleMs = 50;
/** Some file systems tell nothing. */
const pollMs = 60_000;

/**
 * Calls `onChange` soon after one of the files may have changed, and once a minute. Folders are watched and not the
 * files, for most writers put a new file, or a link to a new folder (volumes of pods), in the place of the old one.
 * Keeps no process alive. Returns what ends it.
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
      look();
      onChange();
    }, settleMs).unref();
  };
  /** A link may lead to another folder by now. */
  const look = (): void => {
    const wanted = new Set(paths.flatMap(foldersOf));
    for (const folder of [...watchers.keys()].filter((known) => !wanted.has(known))) drop(folder);
    for (const folder of wanted) {
      if (watchers.has(folder)) continue;
      try {
        const watcher = watch(folder, { persistent: false }, soon);
        // The folder is gone, or was replaced: the next look finds what is there.
        watcher.on('error', () => drop(folder));
        watchers.set(folder, watcher);
      } catch {
        // It cannot be watched: the clock looks for it.
      }
    }
  };
  look();
  const clock = setInterval(() => {
    // A folder that was removed and made again has the same name, and its watcher sees nothing any more.
    for (const folder of watchers.keys()) drop(folder);
    look();
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
