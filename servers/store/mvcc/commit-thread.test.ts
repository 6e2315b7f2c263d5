import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import type { CommitChanges } from './commit-batch.ts';
import { CommitThread } from './commit-thread.ts';
import { encodeKeyValue } from './kv-encoding.ts';
import { loadState } from './load-state.ts';
import { openLogFile, type LogFile } from './log-file.ts';

function setUp(t: TestContext): { readonly file: LogFile; readonly dataDir: string; readonly thread: CommitThread } {
  const folder = mkdtempSync(join(tmpdir(), 'commit-thread-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const dataDir = join(folder, 'data');
  const file = openLogFile(dataDir);
  const { database: databasePath, reserve: reservePath } = file.paths;
  const thread = new CommitThread({
    databasePath,
    tipFile: undefined,
    reservePath,
    reserveBytes: 0,
    flushes: false,
  });
  return { file, dataDir, thread };
}

function changes(revision: number, bytes: number, more: Partial<CommitChanges> = {}): CommitChanges {
  const version = { key: `k${revision}`, createRevision: revision, modRevision: revision, version: 1, lease: '0' };
  const kv = encodeKeyValue(version, Buffer.alloc(bytes, 'v'));
  return { rows: [{ id: revision - 1, revision, deleted: false, kv }], deletedIds: [], leases: [], state: {}, ...more };
}

describe('CommitThread', () => {
  test('writes commits in order, whether they cross in shared memory or as messages', async (t) => {
    const { file: first, dataDir, thread } = setUp(t);
    const results = [
      await thread.commit(changes(2, 10)),
      await thread.commit(changes(3, 100_000)),
      await thread.commit(changes(4, 10, { leases: [{ id: '7', ttl: 60 }] })),
      await thread.commit(changes(5, 60_000)),
      await thread.commit(changes(6, 70_000, { state: { alarms: ['NOSPACE'] } })),
    ];
    assert.ok(results.every(({ fileBytes, sealed }) => fileBytes > 0 && sealed));
    assert.ok((results.at(-1)?.fileBytes ?? 0) > 240_000);
    await thread.close();
    first.close();
    const file = openLogFile(dataDir);
    t.after(() => file.close());
    const { revision, leases, alarms, reader } = loadState(file);
    assert.deepEqual([revision, leases, alarms], [6, [{ id: '7', ttl: 60 }], ['NOSPACE']]);
    assert.deepEqual(
      [1, 2, 3, 4, 5].map((id) => (reader.kv(id)?.length ?? 0) > 9),
      [true, true, true, true, true],
    );
  });

  test('rejects a commit in shared memory that cannot be written, and goes on', async (t) => {
    const { file, thread } = setUp(t);
    const { reader } = loadState(file);
    await thread.commit(changes(2, 10));
    // The id is there already.
    await assert.rejects(thread.commit(changes(2, 10)), /UNIQUE constraint failed/);
    // What was answered can be read, however the answers of a failure and of the commits behind it overtake each other.
    for (let revision = 3; revision < 103; revision += 2) {
      await assert.rejects(thread.commit(changes(2, 10)), /UNIQUE constraint failed/);
      for (const next of [revision, revision + 1]) {
        await thread.commit(changes(next, 10));
        assert.ok(reader.kv(next - 1) !== undefined, `revision ${next}`);
      }
    }
    await thread.close();
    file.close();
  });

  test('rejects what is asked of it after its end', async (t) => {
    const { file, thread } = setUp(t);
    await thread.close();
    file.close();
    await assert.rejects(thread.commit(changes(2, 10)), /worker thread ended/);
  });
});
