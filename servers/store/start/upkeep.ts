import { setTimeout as pause } from 'node:timers/promises';
import type { MvccStore } from '#servers/store/mvcc/store.ts';
import type { StoreServiceDependencies } from '#servers/store/rpc/store-service-dependencies.ts';
import { printProcessLine } from '#shared/observability/process-lines.ts';
import { startAutoCompaction } from './auto-compaction.ts';
import type { AutoCompaction } from './options.ts';

const leaseCheckMs = 500;
/** Number of rows that get checksums in one commit, and the pause after it. */
const sealedRows = 500;
const sealPauseMs = 20;

/**
 * Starts the periodic work of the store: expires leases, compacts, and adds checksums to old rows. @returns a function
 * that stops it
 */
export function startUpkeep(
  { lessor, compactor, store }: StoreServiceDependencies,
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

/** Adds checksums to the rows of a file of format 1, in between other work. @returns a function that stops it */
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
    printProcessLine(`rows without checksums are left until the next start: ${(error as Error).message}`, 'store');
  });
  return () => stopped.abort();
}
