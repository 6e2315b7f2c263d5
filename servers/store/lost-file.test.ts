import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { temporaryStore } from './testing/temporary-store.ts';

describe('store whose database loses its name', () => {
  test('refuses writes, serves reads, and takes writes again when the file is back', async () => {
    await using store = await temporaryStore();
    const { etcd } = store;
    const put = (key: string) => etcd.unary('KV/Put', { key: Buffer.from(key), value: Buffer.from('v') });
    const refused = (): Promise<boolean> =>
      put('b').then(
        () => false,
        (error: Error) => {
          assert.match(error.message, /corrupt cluster/);
          return true;
        },
      );
    await put('a');
    const [database, away] = ['store.db', 'away.db'].map((name) => join(store.folder, 'data', name)) as [
      string,
      string,
    ];
    renameSync(database, away);
    while (!(await refused())) await pause(20);
    assert.equal((await etcd.unary('KV/Range', { key: Buffer.from('a') })).kvs.length, 1);
    assert.equal((await etcd.unary('Maintenance/Alarm', {})).alarms[0]?.alarm, 'CORRUPT');
    renameSync(away, database);
    while (await refused()) await pause(20);
    assert.deepEqual((await etcd.unary('Maintenance/Alarm', {})).alarms, []);
  });
});
