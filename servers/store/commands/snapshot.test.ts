import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { b, list, put, WatchProbe } from '#servers/store/testing/contract-context.ts';
import { temporaryStore } from '#servers/store/testing/temporary-store.ts';
import { UnusableFileError } from '#shared/files/unusable-file.ts';
import { defaultBump } from './raise-revision.ts';
import { readSnapshot, restoreSnapshot, saveSnapshot } from './snapshot.ts';
import { verifyStore } from './verify-store.ts';

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'store-snapshot-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writers that each write the same number under two keys in one transaction, until they are told to end. */
function startPairs(etcd: Parameters<typeof put>[0], writers: number): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const run = async (writer: number): Promise<void> => {
    for (let i = 0; !stopped.signal.aborted; i++) {
      const value = b(String(i));
      await etcd.unary('KV/Txn', {
        success: ['left', 'right'].map((side) => ({ requestPut: { key: b(`pair/${writer}/${side}`), value } })),
      });
    }
  };
  const running = Array.from({ length: writers }, (_, writer) => run(writer));
  return {
    stop: async () => {
      stopped.abort();
      await Promise.all(running);
    },
  };
}

describe('store snapshot', () => {
  test('restores the state of one revision when it is saved during writes', () =>
    inFolder(async (folder) => {
      await using first = await temporaryStore();
      const pairs = startPairs(first.etcd, 32);
      const statuses = [];
      for (let round = 0; round < 3; round++) {
        const before = await put(first.etcd, 'marker', String(round));
        const file = join(folder, `s${round}`);
        const status = await saveSnapshot(join(first.folder, 'data'), file);
        const after = await put(first.etcd, 'marker', 'after');
        assert.ok(status.revision >= before && status.revision < after, `${before} ≤ ${status.revision} < ${after}`);
        statuses.push({ file, status });
      }
      await pairs.stop();
      for (const { file, status } of statuses) {
        assert.deepEqual(readSnapshot(file), status);
        const dataDir = join(folder, 'restored', 'data');
        await restoreSnapshot(file, dataDir, defaultBump);
        assert.deepEqual(verifyStore(dataDir).findings, []);
        await using restored = await temporaryStore({}, join(folder, 'restored'));
        const { kvs } = await restored.etcd.unary('KV/Range', { key: b('\0'), rangeEnd: b('\0') });
        const then = await first.etcd.unary('KV/Range', { key: b('\0'), rangeEnd: b('\0'), revision: status.revision });
        assert.deepEqual(kvs, then.kvs, 'what the first store held at the revision of the snapshot');
        assert.equal(kvs.length, status.keys);
      }
    }));

  test('raises revisions on restore and cancels watches as compacted', () =>
    inFolder(async (folder) => {
      await using first = await temporaryStore();
      const revision = await put(first.etcd, 'k/a', '1');
      const { id } = await first.etcd.unary('Lease/LeaseGrant', { ttl: 60 });
      await put(first.etcd, 'k/b', '2', id);
      await saveSnapshot(join(first.folder, 'data'), join(folder, 's'));
      await restoreSnapshot(join(folder, 's'), join(folder, 'restored', 'data'), 1000);
      await using restored = await temporaryStore({}, join(folder, 'restored'));
      const watch = new WatchProbe(restored.etcd);
      watch.write({ createRequest: { key: b('k/'), rangeEnd: b('k0'), startRevision: revision } });
      let answer = await watch.next();
      while (!answer.canceled) answer = await watch.next();
      assert.equal(answer.compactRevision, revision + 1 + 1000);
      assert.deepEqual((await restored.etcd.unary('Lease/LeaseTimeToLive', { id, keys: true })).keys.map(String), [
        'k/b',
      ]);
      assert.equal(await put(restored.etcd, 'k/c', '3'), revision + 1 + 1000 + 1);
      await using again = await restored.restart();
      assert.deepEqual(
        (await list(again.etcd, 'k/')).map(({ key, value }) => `${key.toString()}=${value.toString()}`),
        ['k/a=1', 'k/b=2', 'k/c=3'],
      );
    }));

  test('accepts a file saved by Maintenance/Snapshot, as etcdctl does', () =>
    inFolder(async (folder) => {
      await using store = await temporaryStore();
      await put(store.etcd, 'k', 'v');
      const file = join(folder, 's');
      await new Promise<void>((resolve, reject) => {
        const stream = store.etcd.stream('Maintenance/Snapshot', {
          onMessage: ({ blob }) => appendFileSync(file, blob),
          onEnd: (error) => (error === undefined ? resolve() : reject(error)),
        });
        stream.write({});
        stream.end();
      });
      assert.equal(readSnapshot(file).keys, 1);
    }));

  test('removes temporary snapshot files of a killed store at start', () =>
    inFolder(async () => {
      await using store = await temporaryStore();
      const left = [
        'store.db.7f1cf8b0-5a4e-4d2e-9f7d-0d6a3d7f2f11.snapshot',
        'store.db.7f1cf8b0-5a4e-4d2e-9f7d-0d6a3d7f2f11.snapshot-journal',
      ];
      for (const name of left) writeFileSync(join(store.folder, 'data', name), '');
      await using again = await store.restart();
      assert.deepEqual(
        readdirSync(join(again.folder, 'data')).filter((name) => left.includes(name)),
        [],
      );
    }));

  test('refuses a changed or truncated snapshot and leaves no files behind', () =>
    inFolder(async (folder) => {
      await using store = await temporaryStore();
      for (let i = 0; i < 100; i++) await put(store.etcd, `k/${i}`, 'x'.repeat(300));
      const file = join(folder, 's');
      await saveSnapshot(join(store.folder, 'data'), file);
      assert.equal(statSync(file).mode & 0o777, 0o600);
      const whole = readFileSync(file);
      const changed = Buffer.from(whole);
      changed[9000] = (changed[9000] as number) ^ 1;
      // A sum that fits, over a row that does not.
      const database = Buffer.from(whole.subarray(0, -32));
      // Pages keep what was moved elsewhere, so every copy of it is changed.
      for (let at = 0; (at = database.indexOf('x'.repeat(300), at)) >= 0;) database.write('y', at);
      const resealed = Buffer.concat([database, createHash('sha256').update(database).digest()]);
      for (const bytes of [changed, resealed, whole.subarray(0, -1), whole.subarray(0, 5000), Buffer.alloc(0)]) {
        writeFileSync(file, bytes);
        assert.throws(
          () => readSnapshot(file),
          (error: Error) =>
            error instanceof UnusableFileError && error.message.startsWith(`${file} is no whole snapshot (`),
        );
        await assert.rejects(restoreSnapshot(file, join(folder, 'new'), defaultBump), UnusableFileError);
        assert.deepEqual(readdirSync(folder), ['s']);
      }
      truncateSync(file);
      await assert.rejects(
        saveSnapshot(join(store.folder, 'data'), join(folder, 'nowhere', 's')),
        /nowhere\/s\S* does not exist: /,
      );
    }));

  test('refuses to restore into a directory that is not empty', () =>
    inFolder(async (folder) => {
      await using store = await temporaryStore();
      await saveSnapshot(join(store.folder, 'data'), join(folder, 's'));
      const dataDir = join(folder, 'there');
      mkdirSync(dataDir);
      writeFileSync(join(dataDir, 'file'), '');
      await assert.rejects(
        restoreSnapshot(join(folder, 's'), dataDir, defaultBump),
        /there is not empty: name a new directory/,
      );
      assert.deepEqual(readdirSync(dataDir), ['file']);
      rmSync(join(dataDir, 'file'));
      await restoreSnapshot(join(folder, 's'), dataDir, defaultBump);
      assert.ok(existsSync(join(dataDir, 'store.db')));
    }));

  test('refuses to overwrite a file of the store, also through a link', () =>
    inFolder(async (folder) => {
      await using store = await temporaryStore();
      const dataDir = join(store.folder, 'data');
      symlinkSync(dataDir, join(folder, 'link'));
      for (const path of [dataDir, join(folder, 'link')])
        await assert.rejects(
          saveSnapshot(dataDir, join(path, 'store.db')),
          /store\.db lies in the directory of the store.*: name a file elsewhere$/,
        );
      await put(store.etcd, 'k');
    }));

  test('restores through a link to a directory and refuses a dangling link', () =>
    inFolder(async (folder) => {
      await using store = await temporaryStore();
      await put(store.etcd, 'k');
      const file = join(folder, 'snapshot');
      await saveSnapshot(join(store.folder, 'data'), file);
      mkdirSync(join(folder, 'real'));
      symlinkSync(join(folder, 'real'), join(folder, 'link'));
      symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'));
      await restoreSnapshot(file, join(folder, 'link'), defaultBump);
      assert.deepEqual(verifyStore(join(folder, 'real')).findings, []);
      await assert.rejects(restoreSnapshot(file, join(folder, 'dangling'), defaultBump), UnusableFileError);
    }));

  const pipeMaker = 'mkfifo';

  test('refuses a pipe or device as snapshot without waiting for it', { timeout: 20_000 }, () =>
    inFolder(async (folder) => {
      const pipe = join(folder, 'pipe');
      execFileSync(pipeMaker, [pipe]);
      for (const path of [pipe, '/dev/zero'])
        await assert.rejects(restoreSnapshot(path, join(folder, 'new'), defaultBump), /is no file: name a snapshot$/);
    }),
  );

  test('is refused in the place of the database of another store', () =>
    inFolder(async (folder) => {
      const snapshot = join(folder, 'snapshot');
      const store = await temporaryStore({}, folder);
      await put(store.etcd, 'a', '1');
      const database = join(store.folder, 'data', 'store.db');
      await saveSnapshot(join(store.folder, 'data'), snapshot, () => {});
      await put(store.etcd, 'a', '2');
      // As a killed store leaves them.
      const log = readFileSync(`${database}-wal`);
      await store.etcd.close();
      await store.store.close();
      writeFileSync(`${database}-wal`, log);
      writeFileSync(database, readFileSync(snapshot));
      await assert.rejects(
        temporaryStore({}, folder),
        (error) =>
          error instanceof UnusableFileError &&
          error.message ===
            `${database} is a snapshot that was copied beside store.db-wal of another store: move it away, and make a new data directory of it with "quarterdeck store snapshot restore"`,
      );
    }));
});
