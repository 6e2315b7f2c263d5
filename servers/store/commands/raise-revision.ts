import type { DatabaseSync } from 'node:sqlite';
import { prepareStateWriter, writeState } from '#servers/store/mvcc/log-state.ts';
import type { LogState } from '#servers/store/mvcc/log-state.ts';

/**
 * The value that etcd's guide uses for `etcdutl snapshot restore --bump-revision`: more revisions than a store writes
 * between two backups.
 */
export const defaultBump = 1_000_000_000;

/**
 * Writes the state of a store that replaces another, with the ids of a new cluster and without alarms. Its revision is
 * `bump` above the old one, higher than any that clients have seen, and all earlier ones count as compacted: watches
 * are canceled with that reason, and their clients list again.
 */
export function writeRaisedState(
  database: DatabaseSync,
  state: LogState,
  ids: Pick<LogState, 'clusterId' | 'memberId'>,
  bump: number,
): number {
  const revision = Math.max(state.revision, state.compactRevision) + bump;
  writeState(prepareStateWriter(database), { ...state, ...ids, revision, compactRevision: revision, alarms: [] });
  return revision;
}
