import type { DatabaseSync } from 'node:sqlite';
import type { CommitResult } from './commit-batch.ts';
import { KeyIndex } from './key-index.ts';
import { keyText } from './key-range.ts';
import { decodeHead } from './kv-encoding.ts';
import type { LogRow } from './log-reader.ts';
import { LogReader } from './log-reader.ts';

/** What a store holds when it starts. */
export interface LoadedState {
  readonly index: KeyIndex;
  readonly reader: LogReader;
  readonly revision: number;
  readonly lastId: number;
  readonly compactRevision: number;
  readonly leases: readonly { id: string; ttl: number }[];
  /** Alarm names that were active. */
  readonly alarms: readonly string[];
  readonly sizes: CommitResult;
}

const pageRows = 2000;
/** Of a stored form, enough for all but very long keys. */
const headBytes = 512;

/** Builds the index from the log. */
export function loadState(database: DatabaseSync): LoadedState {
  const reader = new LogReader(database);
  const index = new KeyIndex();
  let lastId = 0;
  // A store starts at revision 1, as etcd does; its first write is 2.
  let revision = 1;
  for (;;) {
    const rows = reader.heads(lastId + 1, pageRows, headBytes);
    for (const row of rows) {
      apply(index, reader, row);
      revision = Math.max(revision, row.revision);
      lastId = row.id;
    }
    if (rows.length < pageRows) break;
  }
  const meta = new Map(database.prepare('SELECT name, value FROM meta').all().map((row) => [row['name'] as string, row['value'] as string]));
  const compactRevision = Number(meta.get('compactRevision') ?? -1);
  return {
    index, reader, lastId, compactRevision,
    revision: Math.max(revision, compactRevision),
    leases: database.prepare('SELECT id, ttl FROM lease').all().map((row) => ({ id: row['id'] as string, ttl: row['ttl'] as number })),
    alarms: (meta.get('alarms') ?? '').split(',').filter((name) => name !== ''),
    sizes: readSizes(database),
  };
}

function apply(index: KeyIndex, reader: LogReader, row: LogRow): void {
  const head = decodeHead(row.kv) ?? decodeHead(reader.kv(row.id) ?? row.kv);
  if (head === undefined) throw new Error(`row ${row.id} of the log (revision ${row.revision}) is damaged`);
  const entry = index.obtain(keyText(head.key));
  entry.pushHistory();
  entry.id = row.id;
  entry.modRevision = row.revision;
  entry.createRevision = row.deleted ? 0 : head.createRevision;
  entry.version = head.version;
  entry.lease = head.lease;
}

function readSizes(database: DatabaseSync): CommitResult {
  const count = (pragma: string): number => Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0] as number;
  const pageSize = count('page_size');
  return { fileBytes: count('page_count') * pageSize, freeBytes: count('freelist_count') * pageSize };
}
