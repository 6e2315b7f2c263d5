import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Bytes of a file that hold a part of a row. */
export interface RowPosition {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

const pageBytes = 4096;
const [logHeadBytes, frameHeadBytes] = [32, 24];
/**
 * Largest distance from the start of a cell to the stored form: the cell's length and id, and the record's other
 * columns.
 */
const cellHeadBytes = 32;

/**
 * Finds the bytes of all rows in an intact data directory. SQLite's statistics of the B-tree give the pages of each id;
 * the bytes are searched there. It shares no code with `store repair`. Call it on a copy that no other process has
 * open.
 */
export function rowPositions(dataDir: string): Map<number, RowPosition[]> {
  const pages = newestPages(dataDir);
  const positions = new Map<number, RowPosition[]>();
  const database = new DatabaseSync(join(dataDir, 'store.db'));
  try {
    const rows = database.prepare('SELECT id, kv FROM log ORDER BY id').iterate() as IterableIterator<{
      id: number;
      kv: Uint8Array;
    }>;
    const leaves = database
      .prepare("SELECT path, pageno, ncell FROM dbstat WHERE name = 'log' AND pagetype = 'leaf' ORDER BY path")
      .all() as { path: string; pageno: number; ncell: number }[];
    const chains = new Map<string, number[]>();
    for (const row of database
      .prepare("SELECT path, pageno FROM dbstat WHERE name = 'log' AND pagetype = 'overflow' ORDER BY path")
      .all()) {
      const [cell = ''] = (row['path'] as string).split('+');
      chains.set(cell, [...(chains.get(cell) ?? []), row['pageno'] as number]);
    }
    for (const { path, pageno, ncell } of leaves) {
      const leaf = pages(pageno);
      for (let cell = 0; cell < ncell; cell++) {
        const { id, kv } = rows.next().value as { id: number; kv: Uint8Array };
        const pointer = 8 + 2 * cell;
        const at = leaf.bytes.readUInt16BE(pointer);
        const value = Buffer.from(kv);
        const from = leaf.bytes.indexOf(value.subarray(0, 40), at);
        if (from < at || from > at + cellHeadBytes) throw new Error(`row ${id} was not found in page ${pageno}`);
        let length = 0;
        while (length < value.length && from + length < pageBytes && leaf.bytes[from + length] === value[length])
          length++;
        const found = [{ name: leaf.name, from: leaf.at + pointer, to: leaf.at + pointer + 2 }];
        // The cell, including the number of its first overflow page.
        found.push({
          name: leaf.name,
          from: leaf.at + at,
          to: leaf.at + from + length + (length < value.length ? 4 : 0),
        });
        for (const number of chains.get(`${path}${cell.toString(16).padStart(3, '0')}`) ?? []) {
          const page = pages(number);
          const part = Math.min(pageBytes - 4, value.length - length);
          if (page.bytes.compare(value, length, length + part, 4, 4 + part) !== 0)
            throw new Error(`page ${number} does not go on with row ${id}`);
          length += part;
          found.push({ name: page.name, from: page.at, to: page.at + 4 + part });
          // In the write-ahead log the page number is only in the head of the frame.
          if (page.name.endsWith('-wal'))
            found.push({ name: page.name, from: page.at - frameHeadBytes, to: page.at - frameHeadBytes + 4 });
        }
        if (length < value.length) throw new Error(`${value.length - length} bytes of row ${id} were not found`);
        positions.set(id, found);
      }
    }
  } finally {
    database.close();
  }
  return positions;
}

/** The rows without a changed or missing byte in the second of two data directories. */
export function untouchedRows(
  positions: ReadonlyMap<number, readonly RowPosition[]>,
  whole: string,
  damaged: string,
): Set<number> {
  const files = new Map<string, { readonly whole: Buffer; readonly damaged: Buffer }>();
  const same = ({ name, from, to }: RowPosition): boolean => {
    const pair = files.get(name) ?? {
      whole: readFileSync(join(whole, name)),
      damaged: readFileSync(join(damaged, name)),
    };
    files.set(name, pair);
    return to <= pair.damaged.length && pair.whole.compare(pair.damaged, from, to, from, to) === 0;
  };
  return new Set([...positions].filter(([, parts]) => parts.every(same)).map(([id]) => id));
}

/** The newest version of each page of the database, from its last frame in an intact write-ahead log if it has one. */
function newestPages(
  dataDir: string,
): (number: number) => RowPosition & { readonly at: number; readonly bytes: Buffer } {
  const frames = new Map<number, number>();
  const log = readIfThere(join(dataDir, 'store.db-wal'));
  const salts = log.subarray(16, 24);
  for (
    let at = logHeadBytes;
    at + frameHeadBytes + pageBytes <= log.length && log.subarray(at + 8, at + 16).equals(salts);
    at += frameHeadBytes + pageBytes
  ) {
    frames.set(log.readUInt32BE(at), at + frameHeadBytes);
  }
  const database = readFileSync(join(dataDir, 'store.db'));
  return (number) => {
    const frame = frames.get(number);
    const at = frame ?? (number - 1) * pageBytes;
    return {
      name: frame === undefined ? 'store.db' : 'store.db-wal',
      from: at,
      to: at + pageBytes,
      at,
      bytes: (frame === undefined ? database : log).subarray(at, at + pageBytes),
    };
  };
}

function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}
