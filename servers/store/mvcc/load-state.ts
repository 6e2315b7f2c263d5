import type { DatabaseSync } from 'node:sqlite';
import type { CommitResult } from './commit-batch.ts';
import { KeyIndex } from './key-index.ts';
import { keyText } from './key-range.ts';
import { decodeHead, headLength } from './kv-encoding.ts';
import { LogDamagedError, withDamageErrors } from './log-damage.ts';
import type { LogFile } from './log-file.ts';
import type { RowHead } from './log-reader.ts';
import { LogReader } from './log-reader.ts';
import { addToTally, emptyTally, sameTally } from './log-state.ts';
import { tallyOfLeases } from './upgrade-format.ts';

/** The contents of a store at its start. */
export interface LoadedState {
  readonly index: KeyIndex;
  readonly reader: LogReader;
  readonly revision: number;
  readonly lastId: number;
  readonly compactRevision: number;
  readonly leases: readonly { id: string; ttl: number }[];
  /** Names of active alarms. */
  readonly alarms: readonly string[];
  readonly sizes: CommitResult;
}

const pageRows = 2000;
/** Number of bytes that are read of each stored form: enough except for very long keys. */
const headBytes = 512;

/**
 * Builds the index from the log.
 * @throws LogDamagedError when rows are missing or removed rows reappeared, or when the key or revisions of a row are
 * damaged. Values are not checked here, but when they are read.
 */
export function loadState({ database, state }: Pick<LogFile, 'database' | 'state'>): LoadedState {
  const reader = new LogReader(database, state.unsealed);
  const index = new KeyIndex();
  let tally = emptyTally;
  let lastId = 0;
  // A store starts at revision 1, as etcd does; its first write is 2.
  let revision = 1;
  for (;;) {
    const rows = reader.heads(lastId + 1, pageRows, headBytes);
    for (const row of rows) {
      if (row.id <= lastId)
        throw new LogDamagedError(`row ${row.id} of the log stands behind row ${lastId}`, { id: row.id });
      apply(index, reader, row);
      if (row.sum !== null) tally = addToTally(tally, row.sum);
      revision = Math.max(revision, row.revision);
      lastId = row.id;
    }
    if (rows.length < pageRows) break;
  }
  if (!sameTally(tally, state.rows)) {
    throw new LogDamagedError(
      `its log holds ${tally.count} rows${tally.count === state.rows.count ? ', not all of them those that were written' : ` instead of ${state.rows.count}`}`,
    );
  }
  return {
    index,
    reader,
    lastId,
    compactRevision: state.compactRevision,
    revision: Math.max(revision, state.compactRevision),
    leases: readLeases(database, state),
    alarms: state.alarms,
    sizes: { ...withDamageErrors(() => readSizes(database)), sealed: state.unsealed === undefined, reserved: true },
  };
}

function apply(index: KeyIndex, reader: LogReader, row: RowHead): void {
  let start = row.start;
  let end = lengthOfHead(row, start);
  if (end === undefined) {
    // The key is very long, so the whole row is read.
    start = reader.kv(row.id) ?? row.start;
    end = lengthOfHead(row, start) ?? start.length;
  }
  reader.checkHead(row, start.subarray(0, end));
  const head = decodeHead(start, end);
  const entry = index.obtain(keyText(head.key));
  entry.pushHistory();
  entry.id = row.id;
  entry.modRevision = row.revision;
  entry.createRevision = row.deleted ? 0 : head.createRevision;
  entry.version = head.version;
  entry.lease = head.lease;
}

function lengthOfHead({ id, revision }: RowHead, bytes: Buffer): number | undefined {
  try {
    return headLength(bytes);
  } catch (error) {
    throw new LogDamagedError(`row ${id} of the log (revision ${revision}) cannot be read`, { id, cause: error });
  }
}

function readLeases(database: DatabaseSync, state: LogFile['state']): LoadedState['leases'] {
  return withDamageErrors(() => {
    if (!sameTally(tallyOfLeases(database), state.leases))
      throw new LogDamagedError('its leases are not those that were written');
    return database
      .prepare('SELECT id, ttl FROM lease')
      .all()
      .map((row) => ({ id: row['id'] as string, ttl: row['ttl'] as number }));
  });
}

function readSizes(database: DatabaseSync): Omit<CommitResult, 'sealed' | 'reserved'> {
  const count = (pragma: string): number =>
    Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0] as number;
  const pageSize = count('page_size');
  return { fileBytes: count('page_count') * pageSize, freeBytes: count('freelist_count') * pageSize };
}
