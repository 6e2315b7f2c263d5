import { crc32 } from 'node:zlib';
import type { LogState } from '#servers/store/mvcc/log-state.ts';
import { readVarint } from './leaf-cells.ts';
import type { LeafCell } from './leaf-cells.ts';

/** A row of the log as stored in the file; its checksums are not compared yet. */
export interface StoredRow {
  readonly id: number;
  readonly revision: number;
  readonly deleted: boolean;
  /** Null in rows of format 1 that have no checksums yet. */
  readonly headSum: number | null;
  readonly sum: number | null;
  readonly kv: Buffer;
}

type Column = number | null | Buffer;

/** Lengths of integers by their serial type (https://sqlite.org/fileformat2.html#record_format). */
const integerBytes = [0, 1, 2, 3, 4, 6, 8];

function columnsOf(payload: Buffer): Column[] | undefined {
  const [headBytes, typesFrom] = readVarint(payload, 0);
  if (headBytes > payload.length) return undefined;
  const columns: Column[] = [];
  for (let [at, from] = [typesFrom, headBytes]; at < headBytes;) {
    const [type, next] = readVarint(payload, at);
    at = next;
    const size = type >= 12 ? (type - (type % 2 === 0 ? 12 : 13)) / 2 : (integerBytes[type] ?? 0);
    if (from + size > payload.length) return undefined;
    if (type >= 12) columns.push(payload.subarray(from, from + size));
    else if (type === 0) columns.push(null);
    else if (type === 8 || type === 9) columns.push(type - 8);
    else if (type <= 5) columns.push(payload.readIntBE(from, size));
    else if (type === 6) columns.push(Number(payload.readBigInt64BE(from)));
    else return undefined;
    from += size;
  }
  return columns;
}

/**
 * Reads a row of the log; undefined if the record is something else. The id, its first column, is that of the cell.
 * @param doubtful see {@link LeafCell}
 */
export function asRow({ rowId, payload }: LeafCell, doubtful: boolean): StoredRow | undefined {
  const columns = columnsOf(payload(doubtful));
  if (columns === undefined) return undefined;
  const [, revision, deleted, ...rest] = columns;
  // In a file that had format 1, the columns of the checksums were added behind the others.
  const [kv, headSum = null, sum = null] = Buffer.isBuffer(rest[0]) ? rest : [rest[2], rest[0], rest[1]];
  if (
    !isNumber(revision) ||
    !isNumber(deleted) ||
    !Buffer.isBuffer(kv) ||
    Buffer.isBuffer(headSum) ||
    Buffer.isBuffer(sum)
  )
    return undefined;
  return { id: rowId, revision, deleted: deleted !== 0, headSum, sum, kv };
}

/** Reads the row with the state of the store; undefined if the cell is another row or is damaged. */
export function asState({ rowId, payload }: LeafCell): LogState | undefined {
  const columns = rowId === 1 ? columnsOf(payload(false)) : undefined;
  const body = columns?.[1];
  if (columns?.length !== 3 || !Buffer.isBuffer(body) || crc32(body) !== columns[2]) return undefined;
  return JSON.parse(body.toString()) as LogState;
}

function isNumber(column: Column | undefined): column is number {
  return typeof column === 'number';
}
