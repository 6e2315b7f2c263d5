import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { FrameTransport } from '#shared/storage/etcd-wire/frame-transport.ts';
import { EtcdRpcError, grpcCode } from '#shared/storage/etcd-wire/transport.ts';
import { verifyStore } from './commands/verify-store.ts';
import { LogDamagedError } from './mvcc/log-damage.ts';
import { startStore } from './start/start-store.ts';
import { b, put } from './testing/contract-context.ts';
import { copyDataDir, damage, damageKinds } from './testing/damage-cases.ts';
import type { DamageKind } from './testing/damage-cases.ts';

/** Seeds a kind and file; DAMAGE_SEEDS gives more. */
const seeds = Number(process.env['DAMAGE_SEEDS'] ?? 1);
const keys = 200;

const folder = mkdtempSync(join(tmpdir(), 'store-damage-'));
const [killed, stopped] = [join(folder, 'killed'), join(folder, 'stopped')];
/** What was acknowledged: value by key, deleted keys left out. */
const expected = new Map<string, string>();

/** Values that do not compress to a pattern, of 50 to 9,000 bytes: with and without overflow pages. */
function valueFor(i: number, version: number): string {
  return createHash('sha256')
    .update(`${i} ${version}`)
    .digest('hex')
    .repeat(1 + ((i * 7) % 140));
}

before(async () => {
  const dataDir = join(folder, 'data');
  const socketPath = join(folder, 'socket');
  const store = await startStore({ dataDir, listenUnixSocket: socketPath });
  const etcd = new FrameTransport({ socketPath });
  const write = async (i: number, version: number): Promise<void> => {
    const key = `/registry/things/${String(i).padStart(5, '0')}`;
    expected.set(key, valueFor(i, version));
    await put(etcd, key, valueFor(i, version));
  };
  for (let version = 1; version <= 3; version++)
    await Promise.all(Array.from({ length: keys }, (_, i) => write(i, version)));
  await etcd.unary('KV/Compact', { revision: keys, physical: true });
  for (let i = 0; i < keys; i += 10) {
    const key = `/registry/things/${String(i).padStart(5, '0')}`;
    expected.delete(key);
    await etcd.unary('KV/DeleteRange', { key: b(key) });
  }
  for (let i = 1; i < keys; i += 30) await write(i, 4);
  copyDataDir(dataDir, killed);
  await etcd.close();
  await store.close();
  copyDataDir(dataDir, stopped);
});
after(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Reads all there is; the result is what happened. @throws AssertionError when something else than what was written is
 * served
 */
async function readAll(etcd: FrameTransport): Promise<'whole' | 'refused'> {
  let refused = false;
  const read = async (request: {
    key: Buffer;
    rangeEnd?: Buffer;
  }): Promise<{ key: string; value: string }[] | undefined> => {
    try {
      const { kvs } = await etcd.unary('KV/Range', request);
      return kvs.map((kv) => ({ key: kv.key.toString(), value: kv.value.toString() }));
    } catch (error) {
      assert.ok(error instanceof EtcdRpcError && error.code === grpcCode.dataLoss, String(error));
      refused = true;
      return undefined;
    }
  };
  const listed = await read({ key: b('/registry/'), rangeEnd: b('/registry0') });
  if (listed !== undefined)
    assert.deepEqual(
      listed,
      [...expected].map(([key, value]) => ({ key, value })).toSorted((a, z) => (a.key < z.key ? -1 : 1)),
    );
  for (const [key, value] of expected) {
    const found = await read({ key: b(key) });
    if (found !== undefined) assert.deepEqual(found, [{ key, value }]);
  }
  if (refused) {
    assert.equal((await etcd.unary('Maintenance/Alarm', {})).alarms[0]?.alarm, 'CORRUPT');
    await assert.rejects(put(etcd, '/registry/things/new'), { code: grpcCode.dataLoss });
  }
  return refused ? 'refused' : 'whole';
}

async function play(image: string, name: string, kind: DamageKind, seed: number, running: boolean): Promise<string> {
  const home = mkdtempSync(join(folder, 'case-'));
  const dataDir = join(home, 'data');
  copyDataDir(image, dataDir);
  const socketPath = join(home, 'socket');
  const damageNow = (): void => damage(dataDir, name, kind, seed);
  if (!running) damageNow();
  let store;
  try {
    store = await startStore({ dataDir, listenUnixSocket: socketPath, recentValueBytes: 0 });
  } catch (error) {
    assert.ok(error instanceof LogDamagedError, String(error));
    assert.notEqual(verifyStore(dataDir).findings.length, 0, `not found by verify: ${error.message}`);
    rmSync(home, { recursive: true, force: true });
    return 'not started';
  }
  const etcd = new FrameTransport({ socketPath });
  try {
    if (running) damageNow();
    const outcome = await readAll(etcd);
    if (outcome === 'refused') assert.notEqual(verifyStore(dataDir).findings.length, 0, 'not found by verify');
    return outcome;
  } finally {
    await etcd.close();
    await store.close().catch(() => {});
    rmSync(home, { recursive: true, force: true });
  }
}

describe('damaged store', () => {
  for (const kind of damageKinds) {
    test(`serves only whole values after damage of kind ${kind}`, { timeout: 600_000 }, async (t) => {
      const outcomes = new Map<string, number>();
      for (const [image, name, running] of [
        [stopped, 'store.db', false],
        [killed, 'store.db', false],
        [killed, 'store.db-wal', false],
        [stopped, 'store.db', true],
      ] as const) {
        for (let seed = 1; seed <= seeds; seed++) {
          const what = `${kind} of ${name} (${running ? 'running' : image === killed ? 'killed' : 'stopped'}), seed ${seed}`;
          const outcome = await play(image, name, kind, seed, running).catch((error: unknown) =>
            assert.fail(`${what}: ${String(error).slice(0, 600)}`),
          );
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        }
      }
      t.diagnostic(JSON.stringify(Object.fromEntries(outcomes)));
    });
  }

  test('refuses a write with data loss when it cannot read the old value, and keeps running', async () => {
    const home = mkdtempSync(join(folder, 'case-'));
    const [dataDir, socketPath] = [join(home, 'data'), join(home, 'socket')];
    copyDataDir(killed, dataDir);
    const fatal: Error[] = [];
    const store = await startStore({ dataDir, listenUnixSocket: socketPath }, (error) => void fatal.push(error));
    const etcd = new FrameTransport({ socketPath });
    try {
      truncateSync(join(dataDir, 'store.db-wal'), 5000);
      await assert.rejects(
        etcd.unary('KV/Put', { key: b('/registry/things/new'), value: b('x') }, { deadlineMs: 5000 }),
        { code: grpcCode.dataLoss },
      );
      assert.equal((await etcd.unary('Maintenance/Alarm', {})).alarms[0]?.alarm, 'CORRUPT');
      assert.deepEqual(fatal, []);
    } finally {
      await etcd.close();
      // What was never written is waited for.
      if (fatal.length === 0) await store.close().catch(() => {});
    }
  });
});
