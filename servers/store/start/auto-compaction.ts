import type { Compactor } from '#servers/store/mvcc/compactor.ts';
import type { MvccStore } from '#servers/store/mvcc/store.ts';
import type { AutoCompaction } from './options.ts';

/** Interval of the revision mode, as in etcd. */
const revisionCheckMs = 300_000;
/** Samples of the revision that are taken in one retention period. */
const samples = 10;

/** Starts compaction by age or by number of revisions. @returns a function that stops it */
export function startAutoCompaction(settings: AutoCompaction, store: MvccStore, compactor: Compactor): () => void {
  const seen: number[] = [];
  const timer = setInterval(
    () => {
      let target: number;
      if (settings.mode === 'revision') {
        target = store.revision - settings.retention;
      } else {
        seen.push(store.revision);
        if (seen.length <= samples) return;
        target = seen.shift() as number;
      }
      // A client may have compacted further already.
      if (target > store.compactRevision && target > 0) compactor.compact(target).catch(() => {});
    },
    settings.mode === 'revision' ? revisionCheckMs : Math.max(1000, settings.retentionMs / samples),
  );
  timer.unref();
  return () => clearInterval(timer);
}
