import { setTimeout as pause } from 'node:timers/promises';
import { sayOfProcess } from '../../../shared/observability/process-lines.ts';
import type { MvccStore } from '../mvcc/store.ts';
import type { StoreServiceParts } from '../rpc/store-parts.ts';
import { startAutoCompaction } from './auto-compaction.ts';
import type { AutoCompaction } from './options.ts';

const leaseCheckMs = 500;
/** Rows that get their checksums in one commit, and the pause behind it. */
const sealedRows = 500;
const sealPauseMs = 20;

/** What the store does by itself: ends leases, compacts, and gives old rows their checksums. @returns stops it */
export function startUpkeep(
  { lessor, compactor, store }: StoreServiceParts,
  autoCompaction: AutoCompaction | undefined,
): () => void {
  const leaseTimer = setInterval(() => void lessor.expire(), leaseCheckMs);
  const stopAutoCompaction =
    autoCompaction === undefined ? undefined : startAutoCompaction(autoCompaction, store, compactor);
  void compactor.resume();
  const stopSealing = startSealing(store);
  return () => {
    clearInterval(leaseTimer);
    stopAutoCompaction?.();
    stopSealing();
  };
}

/** Gives the rows of a file of format 1 their checksums, between other work. @returns stops it */
function startSealing(store: MvccStore): () => void {
  const stopped = new AbortController();
  const run = async (): Promise<void> => {
    while (!store.sizes.sealed && !stopped.signal.aborted) {
      await pause(sealPauseMs, undefined, { signal: stopped.signal });
      await store.maintain({ kind: 'seal', rows: sealedRows });
    }
  };
  run().catch((error: unknown) => {
    if (stopped.signal.aborted) return;
    sayOfProcess(`rows without checksums are left until the next start: ${(error as Error).message}`, 'store');
  });
  return () => stopped.abort();
}
