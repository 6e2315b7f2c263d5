import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { list } from './contract-context.ts';
import { temporaryStore } from './temporary-store.ts';

/** The keys and values of a store that a repair created. */
export async function served(home: string): Promise<Map<string, string>> {
  await using store = await temporaryStore({}, home);
  return new Map((await list(store.etcd, 'k/')).map((kv) => [kv.key.toString(), kv.value.toString()]));
}

/** Changes the last byte of rows of the log. */
export function changeValue(dataDir: string, where: string): void {
  const database = new DatabaseSync(join(dataDir, 'store.db'));
  const last = "CASE WHEN substr(kv, -1) = x'00' THEN x'01' ELSE x'00' END";
  database.exec(`UPDATE log SET kv = CAST(substr(kv, 1, length(kv) - 1) || ${last} AS BLOB) WHERE ${where}`);
  database.close();
}
