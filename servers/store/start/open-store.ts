import { Lessor } from '#servers/store/lease/lessor.ts';
import { CommitThread } from '#servers/store/mvcc/commit-thread.ts';
import { Compactor } from '#servers/store/mvcc/compactor.ts';
import { storedValueOf } from '#servers/store/mvcc/kv-encoding.ts';
import { loadState } from '#servers/store/mvcc/load-state.ts';
import type { LoadedState } from '#servers/store/mvcc/load-state.ts';
import { damageRemedy } from '#servers/store/mvcc/log-damage.ts';
import { openLogFile } from '#servers/store/mvcc/log-file.ts';
import type { LogFile } from '#servers/store/mvcc/log-file.ts';
import { Marks } from '#servers/store/mvcc/marks.ts';
import { ServedTip } from '#servers/store/mvcc/served-tip.ts';
import { SpaceGuard } from '#servers/store/mvcc/space-guard.ts';
import { reserveBytesFor } from '#servers/store/mvcc/space-reserve.ts';
import { MvccStore } from '#servers/store/mvcc/store.ts';
import { AnswerHeader } from '#servers/store/rpc/answer-header.ts';
import { removeCopies } from '#servers/store/rpc/snapshot-stream.ts';
import type { StoreServiceDependencies } from '#servers/store/rpc/store-service-dependencies.ts';
import { WatchHub } from '#servers/store/watch/watch-hub.ts';
import { KeptPaths } from '#shared/files/kept-paths.ts';
import { printProcessLine, reportDamage } from '#shared/observability/process-lines.ts';
import { checkFileSizeLimit } from './file-size-limit.ts';
import type { StoreOptions } from './options.ts';
import { startUpkeep } from './upkeep.ts';

const defaultQuotaBytes = 2 * 1024 ** 3;
const defaultRecentBytes = 8 * 1024 ** 2;

const damageConsequence = 'What is damaged is not served, and writes are refused until the alarm CORRUPT is cleared.';

const lossRemedy =
  'reads go on from the open file, and writes are refused, for they would be lost; put it back, or end the servers and make a store with "quarterdeck store snapshot restore"';
/** What is written between the loss of the file and the next check is lost. */
const nameCheckMs = 500;

/** An open store without listeners. */
export interface OpenStore {
  readonly dependencies: StoreServiceDependencies;
  /** The URLs in the member list, unless options name others; each listener adds its own. */
  readonly clientUrls: string[];
  /**
   * Finishes current writes, and unlocks the data directory.
   * @param closeListeners called after watches have ended and before writes are finished
   */
  close(closeListeners: () => Promise<unknown>): Promise<void>;
}

/** The results of opening the data directory, from which the dependencies are created. */
interface Opened {
  readonly file: LogFile;
  readonly tip: ServedTip;
  readonly thread: CommitThread;
  readonly state: LoadedState;
  readonly reserveBytes: number;
}

/**
 * Opens the data directory.
 * @throws StoreLockedError, UnusableFileError, LogDamagedError as {@link startStore} does
 */
export async function openStore(options: StoreOptions, onFatal: (error: Error) => void): Promise<OpenStore> {
  checkFileSizeLimit(options.dataDir);
  const file = openLogFile(options.dataDir);
  removeCopies(file.paths.database);
  const reserveBytes = options.reserveBytes ?? reserveBytesFor(options.dataDir);
  // The thread starts while the index is read.
  const flushes = options.unsafeNoFsync !== true;
  const tip = openTip(file, flushes);
  const readersKnown = tip.readersKnown();
  const thread = new CommitThread({
    databasePath: file.location,
    tipFile: tip.file,
    reservePath: file.paths.reserve,
    reserveBytes,
    flushes,
  });
  const state = await loadOrClose(file, tip, thread);
  await readersKnown;
  const clientUrls: string[] = [];
  const dependencies = makeDependencies({ file, tip, thread, state, reserveBytes }, options, clientUrls, onFatal);
  if (file.isDiskFull) dependencies.guard.diskFull();
  const kept = keepNames(dependencies, file.paths.database);
  const stopUpkeep = startUpkeep(dependencies, options.autoCompaction);
  return {
    dependencies,
    clientUrls,
    async close(closeListeners) {
      kept.close();
      stopUpkeep();
      dependencies.hub.close();
      await closeListeners();
      await dependencies.compactor.stop();
      await dependencies.guard.close();
      await dependencies.store.idle();
      try {
        await thread.close();
      } finally {
        tip.close();
        file.close();
      }
    },
  };
}

function makeDependencies(
  { file, tip, thread, state, reserveBytes }: Opened,
  options: StoreOptions,
  clientUrls: readonly string[],
  onFatal: (error: Error) => void,
): StoreServiceDependencies {
  const lessor = new Lessor();
  const store = new MvccStore(
    state,
    thread,
    {
      onChanges: (changes) => {
        dependencies.hub.publish(changes);
        for (const listener of dependencies.valueListeners)
          for (const { kv, deleted } of changes) if (!deleted) listener(storedValueOf(kv));
      },
      onLeaseOfKey: (key, from, to) => lessor.moveKey(key, from, to),
      onDiskFull: () => dependencies.guard.diskFull(),
      onTipStale: () => tip.withdraw(),
      onDamage: (detail) => {
        const first = dependencies.guard.alarms.includes('CORRUPT') ? '' : `. ${damageConsequence} ${damageRemedy}`;
        printProcessLine(`${file.paths.database} is damaged: ${detail}${first}`, 'store');
        reportDamage(`${file.paths.database} is damaged: ${detail}. ${damageRemedy}`);
        void dependencies.guard.raise('CORRUPT');
      },
      onFatal,
    },
    options.recentValueBytes ?? defaultRecentBytes,
  );
  lessor.start(store, state.leases);
  const quota = options.quotaBackendBytes ?? 0;
  const marks = new Marks(store);
  const dependencies: StoreServiceDependencies = {
    file,
    tip,
    store,
    lessor,
    hub: new WatchHub(store),
    guard: new SpaceGuard(store, {
      quotaBytes: quota === 0 ? defaultQuotaBytes : quota,
      alarms: state.alarms,
      databasePath: file.paths.database,
      reserveBytes,
      say: (line) => printProcessLine(line, 'store'),
    }),
    compactor: new Compactor(store, marks),
    marks,
    valueListeners: new Set(),
    header: new AnswerHeader(file.state.clusterId, file.state.memberId),
    clientUrls: () => options.advertiseClientUrls ?? clientUrls,
  };
  return dependencies;
}

/** Refuses writes while the database or its write-ahead log is removed or replaced. */
function keepNames({ guard }: StoreServiceDependencies, database: string): KeptPaths {
  return new KeptPaths({
    paths: [database, `${database}-wal`].map((path) => ({ path, remedy: lossRemedy })),
    tell: (line) => printProcessLine(line, 'store'),
    onChange: (faults) => guard.lose(faults.length > 0),
    everyMs: nameCheckMs,
  });
}

/** Loads the state. After a failure it closes the file and the thread, which would keep the process alive. */
async function loadOrClose(file: LogFile, tip: ServedTip, thread: CommitThread): Promise<LoadedState> {
  try {
    return loadState(file);
  } catch (error) {
    await thread.close().catch(() => {});
    tip.close();
    file.close();
    throw error;
  }
}

function openTip(file: LogFile, flushes: boolean): ServedTip {
  try {
    return ServedTip.open(file.paths, file.state.revision, flushes);
  } catch (error) {
    file.close();
    throw error;
  }
}
