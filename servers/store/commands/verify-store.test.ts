import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { put } from '#servers/store/testing/contract-context.ts';
import { copyDataDir } from '#servers/store/testing/damage-cases.ts';
import { temporaryStore } from '#servers/store/testing/temporary-store.ts';
import { verifyStore } from './verify-store.ts';

describe('verifyStore', () => {
  test('reports a row with a damaged, very large id without reading up to it', { timeout: 20_000 }, async () => {
    await using store = await temporaryStore();
    for (let i = 0; i < 20; i++) await put(store.etcd, `k/${i}`, 'v');
    const dataDir = join(store.folder, 'copy');
    copyDataDir(join(store.folder, 'data'), dataDir);
    const database = new DatabaseSync(join(dataDir, 'store.db'));
    database.exec(`UPDATE log SET id = ${2 ** 45} WHERE id = 20`);
    database.close();
    const { rows, findings } = verifyStore(dataDir);
    assert.equal(rows, 19);
    assert.deepEqual(findings, [`row ${2 ** 45} of the log (revision 21) does not match its checksum`]);
  });
});
