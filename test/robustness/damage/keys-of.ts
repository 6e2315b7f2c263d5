import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { decodeKeyValue } from '#servers/store/mvcc/kv-encoding.ts';

/** The newest row of each key in the file of a store. */
export function keysOf(dataDir: string): Map<string, number>;
/** The newest value of each key in it. */
export function keysOf(dataDir: string, values: true): Map<string, string>;
export function keysOf(dataDir: string, values = false): Map<string, number | string> {
  const found = new Map<string, number | string>();
  const database = new DatabaseSync(join(dataDir, 'store.db'));
  try {
    for (const row of database.prepare('SELECT id, deleted, kv FROM log ORDER BY id').iterate()) {
      const { key, value } = decodeKeyValue(Buffer.from(row['kv'] as Uint8Array));
      if (row['deleted'] === 0) found.set(key.toString(), values ? value.toString() : (row['id'] as number));
      else found.delete(key.toString());
    }
  } finally {
    database.close();
  }
  return found;
}
