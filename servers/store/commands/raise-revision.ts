import type { DatabaseSync } from 'node:sqlite';
import { prepareStateWriter, writeState } from '../mvcc/log-state.ts';
import type { LogState } from '../mvcc/log-state.ts';

/**
 * The value that etcd's guide uses for `etcdutl snapshot restore --bump-revision`: more than any store writes between
 * two backups.
 */
export const defaultBump = 1_000_000_000;

/**
 * Writes the state of a store that is to be served in the place of another, with the ids of a new cluster. Revisions go
 * on far above those that clients have seen, and all before are compacted: who watches is told so, and lists again.
 * Alarms go.
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
