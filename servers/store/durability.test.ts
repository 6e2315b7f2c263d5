import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { FrameTransport } from '#shared/storage/etcd-wire/frame-transport.ts';
import { LimitedDisk } from '#test/robustness/faults/limited-disk.ts';
import { readTip } from './mvcc/durable-tip.ts';
import { StoreLockedError } from './mvcc/log-file.ts';
import { reserveBytesFor } from './mvcc/space-reserve.ts';
import { startStore } from './start/start-store.ts';
import { b, endOf, list, put, WatchProbe } from './testing/contract-context.ts';
import { temporaryStore } from './testing/temporary-store.ts';
import type { TemporaryStore } from './testing/temporary-store.ts';

async function startChild(folder: string): Promise<ChildProcess> {
  const child = fork(new URL('./testing/crash-child.ts', import.meta.url), [
    '--data-dir',
    join(folder, 'data'),
    '--listen-client-urls',
    '',
    '--listen-unix-socket',
    join(folder, 'socket'),
  ]);
  const [message] = (await once(child, 'message')) as [{ type: string }];
  assert.equal(message.type, 'ready');
  return child;
}

describe('embedded store', () => {
  test('keeps all acknowledged writes after kill -9', { timeout: 60_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'store-crash-'));
    const acknowledged = new Map<string, number>();
    try {
      for (let round = 0; round < 3; round++) {
        const child = await startChild(folder);
        const etcd = new FrameTransport({ socketPath: join(folder, 'socket') });
        const writers = Array.from({ length: 16 }, async (_, writer) => {
          for (let i = 0; ; i++) {
            const key = `crash/${round}/${writer}/${i}`;
            acknowledged.set(key, await put(etcd, key, key));
            if (acknowledged.size === (round + 1) * 300) child.kill('SIGKILL');
          }
        });
        await Promise.allSettled(writers);
        await etcd.close();
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
        assert.equal(child.signalCode, 'SIGKILL');
      }
      const child = await startChild(folder);
      const etcd = new FrameTransport({ socketPath: join(folder, 'socket') });
      const stored = new Map((await list(etcd, 'crash/')).map((kv) => [kv.key.toString(), kv.modRevision]));
      for (const [key, revision] of acknowledged) assert.equal(stored.get(key), revision, key);
      await etcd.close();
      child.kill('SIGTERM');
      assert.deepEqual(await once(child, 'exit'), [0, null]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('keeps keys, history, revision, leases, alarms and identity over a restart', async () => {
    await using first = await temporaryStore();
    const { id } = await first.etcd.unary('Lease/LeaseGrant', { ttl: 60 });
    const one = await put(first.etcd, 'k/a', '1', id);
    await put(first.etcd, 'k/a', '2', id);
    await put(first.etcd, 'k/b', 'x'.repeat(5000));
    const deleted = (await first.etcd.unary('KV/DeleteRange', { key: b('k/b') })).header;
    const longKey = `k/${'long'.repeat(500)}`;
    await put(first.etcd, longKey, 'v');
    await first.etcd.unary('Maintenance/Alarm', { action: 'ACTIVATE', alarm: 'CORRUPT' });
    await using second = await first.restart();
    assert.deepEqual(
      (await list(second.etcd, 'k/')).map((kv) => [kv.key.toString(), kv.version, kv.lease]),
      [
        ['k/a', 2, id],
        [longKey, 1, '0'],
      ],
    );
    const old = await second.etcd.unary('KV/Range', { key: b('k/a'), revision: one });
    assert.equal(old.kvs[0]?.value.toString(), '1');
    assert.equal(old.header?.revision, (deleted?.revision as number) + 1);
    assert.equal(old.header?.clusterId, deleted?.clusterId);
    assert.deepEqual((await second.etcd.unary('Lease/LeaseTimeToLive', { id, keys: true })).keys.map(String), ['k/a']);
    assert.equal((await second.etcd.unary('Maintenance/Alarm', {})).alarms[0]?.alarm, 'CORRUPT');
    await second.etcd.unary('Maintenance/Alarm', { action: 'DEACTIVATE', alarm: 'CORRUPT' });
    assert.equal(await put(second.etcd, 'k/c'), (deleted?.revision as number) + 2);
  });

  test('with --unsafe-no-fsync, keeps writes over a restart, and no revision that tells lost ones', async () => {
    await using rig = await temporaryStore({ unsafeNoFsync: true });
    const tells = (): boolean => readTip(join(rig.folder, 'data', 'store.tip')) !== undefined;
    const revision = await put(rig.etcd, 'unsafe/a', '1');
    assert.equal(tells(), false);
    await using safe = await rig.restart({ unsafeNoFsync: false });
    assert.equal((await list(safe.etcd, 'unsafe/'))[0]?.modRevision, revision);
    await put(safe.etcd, 'unsafe/b', '2');
    assert.equal(tells(), true);
    await using unsafe = await safe.restart({ unsafeNoFsync: true });
    assert.equal((await list(unsafe.etcd, 'unsafe/')).length, 2);
  });

  test('keeps the revision after a compaction that leaves no key', async () => {
    await using first = await temporaryStore();
    await put(first.etcd, 'k/a');
    const revision = (await first.etcd.unary('KV/DeleteRange', { key: b('k/a') })).header?.revision as number;
    await put(first.etcd, 'k/b');
    await first.etcd.unary('KV/DeleteRange', { key: b('k/b') });
    await first.etcd.unary('KV/Compact', { revision: revision + 2, physical: true });
    await using second = await first.restart();
    assert.equal(await put(second.etcd, 'k/c'), revision + 3);
    await assert.rejects(second.etcd.unary('KV/Range', { key: b('k/a'), revision }), {
      message: 'etcdserver: mvcc: required revision has been compacted',
    });
  });

  test('shrinks its file on compaction', async () => {
    await using store = await temporaryStore();
    let revision = 0;
    for (let i = 0; i < 50; i++) revision = await put(store.etcd, 'k/a', 'x'.repeat(100_000));
    const before = (await store.etcd.unary('Maintenance/Status', {})).dbSize;
    await store.etcd.unary('KV/Compact', { revision, physical: true });
    const after = (await store.etcd.unary('Maintenance/Status', {})).dbSize;
    assert.ok(after < before / 5, `${before} → ${after}`);
  });

  test('refuses a second store on the same directory', async () => {
    await using store = await temporaryStore();
    await assert.rejects(startStore({ dataDir: join(store.folder, 'data') }), StoreLockedError);
  });

  test('refuses writes above the quota and accepts them again after a compaction', async () => {
    await using store = await temporaryStore({ quotaBackendBytes: 1024 * 1024 });
    let revision = 0;
    const noSpace = { message: 'etcdserver: mvcc: database space exceeded' };
    await assert.rejects(async () => {
      for (;;) revision = await put(store.etcd, 'k/a', 'x'.repeat(50_000));
    }, noSpace);
    await pause(2500);
    await assert.rejects(put(store.etcd, 'k/b'), noSpace, 'the alarm stays while nothing is free');
    await store.etcd.unary('KV/Compact', { revision, physical: true });
    await passes(store, 'k/b');
    assert.deepEqual((await store.etcd.unary('Maintenance/Alarm', {})).alarms, []);
  });

  test('keeps an alarm that a client raised until a client clears it', async () => {
    await using store = await temporaryStore();
    await store.etcd.unary('Maintenance/Alarm', { action: 'ACTIVATE', alarm: 'NOSPACE' });
    await pause(2500);
    await assert.rejects(put(store.etcd, 'k/a'), { message: 'etcdserver: mvcc: database space exceeded' });
    await store.etcd.unary('Maintenance/Alarm', { action: 'DEACTIVATE', alarm: 'NOSPACE' });
    await put(store.etcd, 'k/a');
  });

  /** Tries a write until it passes, for 5 s at most. */
  async function passes({ etcd }: TemporaryStore, key: string): Promise<void> {
    const until = performance.now() + 5000;
    for (;;) {
      try {
        return void (await put(etcd, key));
      } catch (error) {
        if (performance.now() > until) throw error;
        await pause(50);
      }
    }
  }

  const disk = LimitedDisk.mount(mkdtempSync(join(tmpdir(), 'store-disk-')));
  after(() => disk?.unmount());

  test(
    'deletes, compacts and revokes on a full disk, restarts for reads, and writes again when there is room',
    { skip: disk === undefined && 'this user may not mount', timeout: 60_000 },
    async () => {
      if (disk === undefined) return;
      const dataDir = join(disk.path, 'data');
      const reserve = join(dataDir, 'store.reserve');
      const noSpace = { message: 'etcdserver: mvcc: database space exceeded' };
      await using first = await temporaryStore({ dataDir });
      for (
        let waited = 0;
        (statSync(reserve, { throwIfNoEntry: false })?.size ?? 0) < reserveBytesFor(dataDir);
        waited += 50
      ) {
        assert.ok(waited < 10_000, 'no reserve was made');
        await pause(50);
      }
      const { id } = await first.etcd.unary('Lease/LeaseGrant', { ttl: 60 });
      await put(first.etcd, 'k/leased', 'v', id);
      await put(first.etcd, 'k/kept', 'v');
      disk.fill(5 * 1024 * 1024);
      const written: string[] = [];
      await assert.rejects(async () => {
        for (let i = 0; ; i++) {
          await put(first.etcd, `k/${i}`, randomBytes(50_000).toString('base64'));
          written.push(`k/${i}`);
        }
      }, noSpace);
      assert.equal(existsSync(reserve), false, 'the reserve is given up');
      await assert.rejects(put(first.etcd, 'k/more'), noSpace);
      const health = await first.etcd.unary('Maintenance/Alarm', {});
      assert.deepEqual(
        health.alarms.map(({ alarm }) => alarm),
        ['NOSPACE'],
      );
      for (const key of written.slice(0, 20))
        assert.equal((await first.etcd.unary('KV/DeleteRange', { key: b(key) })).deleted, 1);
      await first.etcd.unary('Lease/LeaseRevoke', { id });
      assert.deepEqual(
        (await list(first.etcd, 'k/')).map(({ key }) => key.toString()),
        ['k/kept', ...written.slice(20)].toSorted(),
      );
      const { header } = await first.etcd.unary('KV/Range', { key: b('k/kept') });
      await first.etcd.unary('KV/Compact', { revision: header?.revision as number, physical: true });
      // Others take what is left, to the last byte.
      disk.fill(0);
      await using second = await first.restart();
      assert.equal((await list(second.etcd, 'k/')).length, 1 + written.length - 20);
      await assert.rejects(put(second.etcd, 'k/more'), noSpace);
      disk.empty();
      await passes(second, 'k/more');
      assert.equal(existsSync(reserve), true);
      assert.deepEqual((await second.etcd.unary('Maintenance/Alarm', {})).alarms, []);
    },
  );

  test('sends a slow watcher every event once and in order', { timeout: 60_000 }, async () => {
    await using store = await temporaryStore({ recentValueBytes: 64 * 1024 });
    const probe = new WatchProbe(store.etcd);
    await probe.create({ key: b('k/'), rangeEnd: endOf('k/') });
    const value = 'x'.repeat(20_000);
    const names = Array.from({ length: 600 }, (_, i) => `k/${i}`);
    await Promise.all(names.map((name) => put(store.etcd, name, value)));
    const seen = await probe.events(600);
    assert.deepEqual(
      seen.map((text) => text.split('=')[0]),
      names.map((name) => `PUT ${name}`),
    );
    probe.close();
  });
});
