import type { DatabaseSync } from 'node:sqlite';
import { addToTally } from './log-state.ts';
import type { LogState } from './log-state.ts';
import { rowSums } from './row-sum.ts';

/**
 * Adds checksums to the next rows of a file that had format 1, within the open transaction.
 * @param limit largest number of rows
 * @returns the state that includes these rows
 */
export function sealRows(database: DatabaseSync, state: LogState, limit: number): LogState {
  if (state.unsealed === undefined) return state;
  const { from, to } = state.unsealed;
  const found = database
    .prepare('SELECT id, revision, deleted, kv FROM log WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?')
    .all(from, to, limit);
  const update = database.prepare('UPDATE log SET head_sum = ?, sum = ? WHERE id = ?');
  let rows = state.rows;
  for (const row of found) {
    const kv = row['kv'] as Uint8Array;
    const id = row['id'] as number;
    const sums = rowSums(id, row['revision'] as number, row['deleted'] !== 0, kv);
    update.run(sums.head, sums.whole, id);
    rows = addToTally(rows, sums.whole);
  }
  const last = found.length < limit ? undefined : (found.at(-1)?.['id'] as number);
  return { ...state, rows, unsealed: last === undefined || last >= to ? undefined : { from: last + 1, to } };
}
