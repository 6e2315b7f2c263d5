import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { newPackedRows, packRows, type WorkerTask } from './commit-batch.ts';
import { readTip } from './durable-tip.ts';
import { encodeKeyValue } from './kv-encoding.ts';
import { openLogFile } from './log-file.ts';
import { LogWriter } from './log-writer.ts';

function setUp(t: TestContext, flushes: boolean, tipPath?: string): { tip: string; writer: LogWriter } {
  const folder = mkdtempSync(join(tmpdir(), 'log-writer-'));
  const file = openLogFile(join(folder, 'data'));
  const tip = tipPath ?? file.paths.tip;
  const tipFile = openSync(tip, tipPath === undefined ? 'w+' : 'r+');
  const writer = new LogWriter({
    databasePath: file.location,
    tipFile,
    reservePath: file.paths.reserve,
    reserveBytes: 0,
    flushes,
  });
  t.after(() => {
    writer.answer({ kind: 'close' });
    closeSync(tipFile);
    file.close();
    rmSync(folder, { recursive: true });
  });
  return { tip, writer };
}

function commit(id: number, revision: number): WorkerTask {
  const version = { key: 'k', createRevision: revision, modRevision: revision, version: 1, lease: '0' };
  const kv = encodeKeyValue(version, Buffer.from('v'));
  const rows = packRows([{ id, revision, deleted: false, kv }], newPackedRows(0));
  return { kind: 'commit', batch: { rows, deletedIds: new Float64Array(), leases: [], state: {} } };
}

describe('LogWriter', () => {
  // The thread sends the answer on after this call: servers read the file in place of asking the store.
  test('has written the revision to store.tip when it answers a commit', (t) => {
    const { tip, writer } = setUp(t, true);
    for (const revision of [2, 3, 9]) {
      const answer = writer.answer(commit(revision, revision));
      assert.ok(answer.ok, answer.ok ? '' : answer.message);
      assert.deepEqual([readTip(tip), answer.result.isTipStale], [revision, undefined]);
    }
  });

  test('without flushes, writes it in a form that tells the next start nothing', (t) => {
    const { tip, writer } = setUp(t, false);
    writer.answer(commit(2, 2));
    assert.deepEqual([readFileSync(tip).readDoubleLE(0), readTip(tip)], [2, undefined]);
  });

  test('says in its answer that store.tip is stale when it cannot be written', (t) => {
    const { writer } = setUp(t, true, '/dev/full');
    const answer = writer.answer(commit(2, 2));
    assert.equal(answer.ok && answer.result.isTipStale, true);
  });
});
